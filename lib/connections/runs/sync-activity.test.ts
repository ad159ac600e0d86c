import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, RunId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { controlRun } from '#lib/sync/runs/control-run.ts'
import type { SyncActivity } from '../model.ts'
import { getSyncActivity } from './sync-activity.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId
let runId: RunId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())

beforeEach(async () => {
  connectionId = await seedConnection(database.query, owner)
  const [run] = await database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, trigger, status, phase, started_at, lease_until, profiles_expected, profiles_received,
       invoices_expected, invoices_received, lines_expected, lines_received, inserted)
     values ($1, $2, 'manual', 'running', 'lines', now() - interval '2 hours', now() + interval '20 seconds', 1, 1, 20, 20, 10000, 4000, 4021)
     returning id`,
    [owner.organizationId, connectionId],
  )
  runId = run?.id as string
  await addWindow(1, `'invoices', null, null, 'complete', now() - interval '1 hour'`)
  await addWindow(2, `'lines', null, null, 'split', now() - interval '1 hour'`)
  await addWindow(3, `'lines', '2026-03-01', null, 'complete', now() - interval '6 seconds'`)
  await addWindow(4, `'lines', null, '2026-02-28', 'reading', null`)
})

function addWindow(number: number, values: string) {
  return database.query(
    `insert into sync_window (organization_id, run_id, number, list, issued_from, issued_upto, state, completed_at, started_at)
     values ($1, $2, $3, ${values}, now() - interval '1 hour')`,
    [owner.organizationId, runId, number],
  )
}

function addPage(window: number, offset: number, secondsAgo: number, received = 100) {
  return database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes, committed_at)
     values ($1, $2, $3, 'lines', 1, $4, $5, $5, 0, 0, 0, 0, '{}', now() - $6 * interval '1 second')`,
    [owner.organizationId, runId, window, offset, received, secondsAgo],
  )
}

const look = async () => (await getSyncActivity(owner.organizationId, connectionId)) as SyncActivity

test('pace is measured over the last seconds across windows, and time left follows from it', async () => {
  await addPage(3, 0, 3000)
  await addPage(3, 100, 10)
  await addPage(3, 200, 8)
  await addPage(4, 0, 4)
  await addPage(4, 100, 2)
  const { run } = await look()
  // 300 lines since the first of those commits, ten seconds ago
  expect(run?.linesPerSecond).toBeGreaterThan(25)
  expect(run?.linesPerSecond).toBeLessThanOrEqual(30)
  expect(run?.secondsLeft).toBeGreaterThanOrEqual(200)
  expect(run?.secondsLeft).toBeLessThan(240)
  expect(run?.windows).toEqual({ known: 3, complete: 2 })
  expect(Date.now() - Date.parse(run?.progressAt ?? '')).toBeLessThan(10_000)
})

test('a pause before the last pages slows nothing down, and one page alone gives no pace', async () => {
  await addPage(4, 0, 1800)
  await addPage(4, 100, 2)
  expect((await look()).run).toMatchObject({ linesPerSecond: null, recordsPerSecond: null, secondsLeft: null })
  await addPage(4, 200, 1)
  expect((await look()).run?.linesPerSecond).toBeGreaterThan(40)
})

test('names what is read while running and paused, and who paused it until it continues', async () => {
  const part = { list: 'lines', issuedFrom: null, issuedUpto: '2026-02-28', invoiceStatus: null, serialNumber: null }
  expect(await look()).toMatchObject({ reading: [{ ...part, pass: 1 }], stopped: null })
  await controlRun(owner.organizationId, connectionId, 'pause', personOf(owner.userId))
  const paused = await look()
  expect(paused.run).toMatchObject({ id: runId, status: 'paused', lines: { received: 4000, expected: 10_000 } })
  expect(paused).toMatchObject({ reading: [part], stopped: { by: 'Ada Admin' } })
  await controlRun(owner.organizationId, connectionId, 'resume', personOf(owner.userId))
  expect((await look()).stopped).toBeNull()
  await controlRun(owner.organizationId, connectionId, 'cancel')
  expect((await look()).stopped).toMatchObject({ by: null })
})

test('A8: another organization’s connection is missing', async () => {
  const stranger = await seedOrganization(database.query, 'Stranger')
  expect(await getSyncActivity(stranger.organizationId, connectionId)).toBeNull()
})
