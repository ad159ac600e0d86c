import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { listEvents } from '#lib/connections/events/history.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { runSync } from '../reading/run-sync.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { setSyncSchedule, spreadInterval } from './next-sync.ts'
import { requestDueSyncs } from './schedule.ts'

const HOUR = 3_600_000
const START = new Date('2026-11-20T12:00:00Z')
const after = (ms: number) => new Date(START.getTime() + ms)

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from connection')
  connectionId = (await world.connect('meridian')).connectionId
})

const sync = (at: Date) => syncNow(world, connectionId, { now: () => at })
const runs = () =>
  world.database.query<{ kind: string; trigger: string; status: string }>(
    'select kind, trigger, status from sync_run where connection_id = $1 order by requested_at',
    [connectionId],
  )

test('a connection syncs each hour, give or take a tenth, and not before', async () => {
  await sync(START)
  expect(await requestDueSyncs(after(0.89 * HOUR))).toBe(0)
  expect(await requestDueSyncs(after(1.11 * HOUR))).toBe(1)
  expect((await runs()).at(-1)).toEqual({ kind: 'changes', trigger: 'schedule', status: 'queued' })
  // it waits for a worker: another sweep, by this worker or another, adds nothing
  expect(await requestDueSyncs(after(1.2 * HOUR))).toBe(0)
  await sync(after(1.2 * HOUR))
  expect(await runs()).toHaveLength(2)
  expect(await requestDueSyncs(after(1.3 * HOUR))).toBe(0)
})

test('connections created together do not stay together', () => {
  expect([0, 0.5, 0.999].map((value) => Math.round(60 * spreadInterval(() => value)))).toEqual([54, 60, 66])
})

test('a connection keeps the interval an admin chose, and any sooner plan; its history says who chose it', async () => {
  await sync(START)
  const set = (minutes: 15 | 240) =>
    setSyncSchedule({ organizationId: world.organizationId, connectionId }, { minutes }, personOf(world.userId))
  expect(await set(240)).toBe(true)
  // planned before: an hour after the last sync
  expect(await requestDueSyncs(after(1.11 * HOUR))).toBe(1)
  await sync(after(2 * HOUR))
  expect(await requestDueSyncs(after(2 * HOUR + 0.89 * 4 * HOUR))).toBe(0)
  expect(await requestDueSyncs(after(2 * HOUR + 1.11 * 4 * HOUR))).toBe(1)
  await sync(after(8 * HOUR))
  await set(15)
  await set(15)
  const { events } = await listEvents(world.organizationId, connectionId, { limit: 10 })
  const changes = events.filter(({ kind }) => kind === 'schedule_changed')
  expect(changes.map(({ detail }) => detail)).toEqual(['15', '240'])
  expect(changes[0]?.actorName).not.toBeNull()
  // a shorter interval counts from now, not from the end of the longer one
  await world.database.query(`update connection set next_sync_at = now() + interval '3 hours'`)
  await set(15)
  expect(await requestDueSyncs(new Date(Date.now() + 0.3 * HOUR))).toBe(1)
  expect(
    await setSyncSchedule(
      { organizationId: world.organizationId, connectionId: randomUUID() as string as ConnectionId },
      { minutes: 15 },
      personOf(world.userId),
    ),
  ).toBe(false)
})

test('concurrent sweeps of several workers request one sync', async () => {
  await sync(START)
  const asked = await Promise.all([1, 2, 3, 4].map(() => requestDueSyncs(after(2 * HOUR))))
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await runs()).toHaveLength(2)
})

// an account too long for one piece: a later sync reads only what may have changed
const timing = { ...QUICK_TIMING, windowRecords: 40 }
/** The sweep at a moment, and the sync it requests, if any; resolves to what that reads. */
async function sweep(at: Date) {
  if ((await requestDueSyncs(at)) === 0) return null
  const [run] = await world.database.query<{ id: RunId; kind: string }>(
    `select id, kind from sync_run where connection_id = $1 and status = 'queued'`,
    [connectionId],
  )
  const { id: runId, kind } = run as { id: RunId; kind: string }
  const { organizationId, partner } = world
  const options = { partner, timing, signal: new AbortController().signal, now: () => at }
  expect(await runSync({ organizationId, runId }, options)).toBe('succeeded')
  return kind
}
const DAY = 24 * HOUR
const schedule = (wish: Parameters<typeof setSyncSchedule>[1]) =>
  setSyncSchedule({ organizationId: world.organizationId, connectionId }, wish, personOf(world.userId))

test('a sync reads all recent lines a day after the last such reading, everything a week after, and else changes', async () => {
  await syncNow(world, connectionId, { now: () => START, timing })
  expect(await sweep(after(2 * HOUR))).toBe('changes')
  expect(await sweep(after(23 * HOUR))).toBe('changes')
  expect(await sweep(after(DAY + HOUR))).toBe('incremental')
  expect(await sweep(after(DAY + 3 * HOUR))).toBe('changes')
  expect(await sweep(after(2 * DAY))).toBe('changes')
  expect(await sweep(after(3 * DAY))).toBe('incremental')
  expect(await sweep(after(7 * DAY))).toBe('verification')
  // which has read the recent lines too
  expect(await sweep(after(7 * DAY + 2 * HOUR))).toBe('changes')
  expect(await sweep(after(8 * DAY))).toBe('incremental')
})

test('a failed reading of all recent lines, or of everything, is tried again with the next sync', async () => {
  await syncNow(world, connectionId, { now: () => START, timing })
  const refuse = () =>
    world.sandbox
      .state()
      .faults.add({ match: { path: '/api/v1/invoices' }, times: 1, action: { type: 'status', status: 403 } })
  for (const [moment, kind] of [
    [DAY, 'incremental'],
    [7 * DAY, 'verification'],
  ] as const) {
    refuse()
    await expect(sweep(after(moment))).rejects.toThrow()
    expect((await runs()).at(-1)).toMatchObject({ kind, status: 'failed' })
    expect(await sweep(after(moment + 2 * HOUR))).toBe(kind)
  }
})

test('reads recent lines and everything as often as an admin chose, counted from the last time; the history says so', async () => {
  await syncNow(world, connectionId, { now: () => START, timing })
  await schedule({ lookBackHours: 6, verifyDays: 1 })
  await schedule({ lookBackHours: 6 })
  expect(await sweep(after(2 * HOUR))).toBe('changes')
  expect(await sweep(after(7 * HOUR))).toBe('incremental')
  expect(await sweep(after(9 * HOUR))).toBe('changes')
  expect(await sweep(after(DAY))).toBe('verification')
  await schedule({ lookBackHours: 48, verifyDays: 28 })
  expect(await sweep(after(2 * DAY))).toBe('changes')
  expect(await sweep(after(3 * DAY))).toBe('incremental')
  const { events } = await listEvents(world.organizationId, connectionId, { limit: 20 })
  const changes = events.filter(({ kind }) => kind.endsWith('_changed')).map(({ kind, detail }) => `${kind} ${detail}`)
  expect(changes.sort()).toEqual([
    'look_back_changed 48',
    'look_back_changed 6',
    'verification_changed 1',
    'verification_changed 28',
  ])
})

test('an account that syncs once a day reads all recent lines each time, though no day has the length of another', async () => {
  await syncNow(world, connectionId, { now: () => START, timing })
  await schedule({ minutes: 1440 })
  await world.database.query('update connection set next_sync_at = $1', [after(0.9 * DAY)])
  expect(await sweep(after(0.9 * DAY))).toBe('incremental')
})

test('tries a failed sync again an hour later', async () => {
  world.sandbox
    .state()
    .faults.add({ match: { path: '/api/v1/invoices' }, times: 1, action: { type: 'status', status: 403 } })
  expect((await sync(START)).outcome).toBe('failed')
  expect(await requestDueSyncs(after(0.5 * HOUR))).toBe(0)
  expect(await requestDueSyncs(after(1.2 * HOUR))).toBe(1)
  // what was never read completely is requested completely
  expect((await runs()).map(({ kind }) => kind)).toEqual(['backfill', 'backfill'])
})

test('a connection that needs to be reconnected is left alone', async () => {
  await sync(START)
  await world.database.query(`update connection set state = 'needs_reconnect' where id = $1`, [connectionId])
  expect(await requestDueSyncs(after(5 * HOUR))).toBe(0)
})

test('a connection from an earlier version, which has no plan yet, is due at once', async () => {
  await sync(START)
  await world.database.query('update connection set next_sync_at = null, next_verification_at = null')
  expect(await requestDueSyncs(START)).toBe(1)
})
