import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { compareLinesOfNext } from '#lib/ledger/kept/comparisons/compare-lines.ts'
import type { Failpoint, SyncKind } from '../model.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { runSync } from './run-sync.ts'

const ACCOUNT = 'nordlicht'

let world: SyncWorld
let connectionId: ConnectionId
beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect(ACCOUNT)).connectionId
  expect(await run('backfill')).toBe('succeeded')
})
afterAll(() => world.close())

async function run(kind: SyncKind, failpoint?: Failpoint) {
  const { organizationId, partner } = world
  const { runId } = await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind })
  const signal = new AbortController().signal
  return runSync(
    { organizationId, runId },
    { partner, timing: QUICK_TIMING, now: () => new Date('2026-11-20T12:00:00Z'), signal, failpoint },
  )
}
const die: Failpoint = (name) => {
  if (name === 'after-finish') throw new OperationalError('sync-fenced', 'died')
}

/** Issues an invoice upstream, with the same line as one that is here. */
async function issueTwice() {
  const [line] = await world.database.query<{ id: string }>(
    `select id from line where currency = 'EUR' and quantity = 1 and total_amount > 0 and trip_id is not null
       and id not like 'sha256:%' and id not in (select coalesce(other_line_id, '') from line_comparison) order by id limit 1`,
  )
  const state = world.sandbox.state()
  const account = state.requireAccount(ACCOUNT)
  const lines = account.story.flatMap((invoice) => invoice.lines)
  const wire = lines.find((each) => each.wire.id === line?.id)?.wire
  const { lineIds } = state.issueInvoice(ACCOUNT, { lines: 1, issuingDate: '2026-11-19' })
  const [id = ''] = lineIds
  state.mutations.updateLine(account, id, { ...wire, id })
  return { id, first: line?.id }
}
const find = () =>
  world.database.query(
    `select line_id as id, other_line_id as first from line_comparison where code = 'duplicate_line' order by line_id`,
  )
const isDue = async () =>
  (await world.database.query('select from line_comparison_state where change_count <> compared_count')).length > 0

test('a run that has read an account leaves it compared, and one that finds it unchanged does not compare again', async () => {
  expect(await isDue()).toBe(false)
  const twice = await issueTwice()
  expect(await run('changes')).toBe('succeeded')
  expect(await find()).toEqual([twice])
  await world.database.query('delete from line_comparison')
  expect(await run('changes')).toBe('succeeded')
  expect(await find()).toEqual([])
  await world.database.query('update line_comparison_state set compared_count = 0')
  expect(await run('changes')).toBe('succeeded')
  expect(await find()).toEqual([twice])
})

test('a worker that dies between the end of a run and the comparison loses nothing: housekeeping compares', async () => {
  const before = await find()
  const twice = await issueTwice()
  expect(await run('changes', die)).toBe('fenced')
  expect(await find()).toEqual(before)
  expect(await isDue()).toBe(true)
  // not while a run is reading the account
  await requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: null })
  for (const status of ['queued', 'running', 'paused']) {
    await world.database.query('update sync_run set status = $1 where finished_at is null', [status])
    expect(await compareLinesOfNext(null), status).toBeNull()
  }
  await world.database.query('delete from sync_run where finished_at is null')
  expect(await compareLinesOfNext(null)).toEqual({ connectionId, written: 1 })
  expect(await compareLinesOfNext(null)).toBeNull()
  expect(await find()).toEqual([...before, twice].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)))
})

test('a run that has read an account leaves what each invoice says noted, also of lines that came since', async () => {
  const listUnnoted = () =>
    world.database.query(
      `select connection_id, invoice_serial_number as serial_number from invoice_rollup
       except select connection_id, serial_number from invoice_words`,
    )
  expect(await run('changes')).toBe('succeeded')
  expect(await listUnnoted()).toEqual([])
  await issueTwice()
  expect(await run('changes', die)).toBe('fenced')
  expect(await listUnnoted()).toHaveLength(1)
  expect(await run('changes')).toBe('succeeded')
  expect(await listUnnoted()).toEqual([])
})
