import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listEvents } from '#lib/connections/events/history.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { setSyncInterval, spreadInterval } from './next-sync.ts'
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
  expect((await runs()).at(-1)).toEqual({ kind: 'incremental', trigger: 'schedule', status: 'queued' })
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
    setSyncInterval({ organizationId: world.organizationId, connectionId }, minutes, world.userId)
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
    await setSyncInterval(
      { organizationId: world.organizationId, connectionId: randomUUID() as string as ConnectionId },
      15,
      world.userId,
    ),
  ).toBe(false)
})

test('concurrent sweeps of several workers request one sync', async () => {
  await sync(START)
  const asked = await Promise.all([1, 2, 3, 4].map(() => requestDueSyncs(after(2 * HOUR))))
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await runs()).toHaveLength(2)
})

test('a week after the last complete reading, the next one is complete again', async () => {
  // an account too long for one piece: a later sync reads only what may have changed
  const timing = { ...QUICK_TIMING, windowRecords: 40 }
  const weekly = (at: Date) => syncNow(world, connectionId, { now: () => at, timing })
  await weekly(START)
  await requestDueSyncs(after(2 * HOUR))
  await weekly(after(2 * HOUR))
  await requestDueSyncs(after(7 * 24 * HOUR))
  await weekly(after(7 * 24 * HOUR))
  await requestDueSyncs(after(7 * 24 * HOUR + 2 * HOUR))
  expect((await runs()).map(({ kind }) => kind)).toEqual(['backfill', 'incremental', 'verification', 'incremental'])
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
