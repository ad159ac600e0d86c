import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { controlRun } from './control-run.ts'
import { requestDueSyncs } from './schedule.ts'

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from connection')
  const connected = await world.connect('nordlicht')
  connectionId = connected.connectionId
  runId = connected.runId
})

const control = (what: 'pause' | 'resume' | 'cancel') => controlRun(world.organizationId, connectionId, what)
async function readRun() {
  const [run] = await world.database.query('select * from sync_run where id = $1', [runId])
  return run as Record<string, unknown>
}
const pages = () => world.database.query('select 1 from sync_page where run_id = $1', [runId])

/** Runs the sync and pauses or cancels it once `count` pages are committed. */
async function interruptedAfter(count: number, what: 'pause' | 'cancel') {
  let commits = 0
  let interruption: Promise<unknown> | null = null
  const { outcome } = await syncNow(world, connectionId, {
    failpoint: (name) => {
      if (name === 'after-commit') commits += 1
      if (name === 'after-commit' && commits === count) interruption = control(what)
    },
  })
  expect(await interruption).toEqual({ runId })
  return outcome
}

test('a paused backfill stops between two pages, keeps its place, and resumes from there', async () => {
  expect(await interruptedAfter(6, 'pause')).toBe('fenced')
  expect(await readRun()).toMatchObject({ status: 'paused', lease_until: null, finished_at: null })
  const done = (await pages()).length
  expect(done).toBeLessThan(9)
  // nobody takes it up, and nothing starts beside it
  expect((await syncNow(world, connectionId)).outcome).toBe('not-taken')
  const joined = await requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: null })
  expect(joined).toEqual({ runId, joined: true })
  expect(await requestDueSyncs(new Date('2099-01-01T00:00:00Z'))).toBe(0)

  expect(await control('resume')).toEqual({ runId })
  expect((await syncNow(world, connectionId)).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'nordlicht')
  // no page was read twice
  expect(await readRun()).toMatchObject({ duplicate: 0, unchanged: 0 })
})

test('a canceled sync is over at once, keeps what arrived, and makes room for the next', async () => {
  expect(await interruptedAfter(6, 'cancel')).toBe('fenced')
  expect(await readRun()).toMatchObject({ status: 'canceled', finished_at: expect.anything() })
  expect((await pages()).length).toBeGreaterThanOrEqual(6)
  expect(await requestDueSyncs(new Date())).toBe(0)
  expect((await syncNow(world, connectionId)).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('a sync that waits for the platform can be paused and canceled too', async () => {
  world.sandbox.state().faults.add({
    match: { path: '/api/v1/invoices' },
    action: { type: 'status', status: 503, headers: { 'retry-after': '3600' } },
  })
  expect((await syncNow(world, connectionId)).outcome).toBe('postponed')
  expect(await control('pause')).toEqual({ runId })
  expect(await control('resume')).toEqual({ runId })
  expect(await readRun()).toMatchObject({ status: 'queued', error_code: null })
  expect(await control('cancel')).toEqual({ runId })
})

test('a control that does not apply changes nothing', async () => {
  expect(await control('resume')).toBeNull()
  await syncNow(world, connectionId)
  expect(await control('pause')).toBeNull()
  expect(await control('cancel')).toBeNull()
  expect(await readRun()).toMatchObject({ status: 'succeeded' })
})

test('F16: a paused sync goes on only while its connection is active', async () => {
  expect(await control('pause')).toEqual({ runId })
  const move = (state: string) =>
    world.database.query('update connection set state = $2 where id = $1', [connectionId, state])
  await move('needs_reconnect')
  expect(await control('resume')).toBeNull()
  expect(await readRun()).toMatchObject({ status: 'paused' })
  await move('active')
  expect(await control('resume')).toEqual({ runId })
})

test('A8: the sync of another organization cannot be paused', async () => {
  const stranger = await seedOrganization(world.database.query, 'Stranger')
  expect(await controlRun(stranger.organizationId, connectionId, 'pause')).toBeNull()
  expect(await readRun()).toMatchObject({ status: 'queued' })
})
