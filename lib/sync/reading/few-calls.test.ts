import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { SyncKind } from '../model.ts'
import { controlRun } from '../runs/control-run.ts'
import { takeInvoiceHint } from '../runs/take-hint.ts'
import { ARRANGE_TIMING, QUICK_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { dataCalls, expectUpstream } from '../test-support/test-upstream.ts'
import { runSync, type SyncOptions } from './run-sync.ts'

const NOW = () => new Date('2026-11-20T12:00:00Z')
const timing = { ...QUICK_TIMING, windowRecords: 40 }
const ACCOUNT = 'nordlicht'

let world: SyncWorld
beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
})
afterAll(() => world.close())

/** A connection whose account was read completely, and is too long to be read whole. */
async function start() {
  world.sandbox.reset()
  const { connectionId } = await world.connect(ACCOUNT)
  await run(connectionId, 'backfill', { timing: ARRANGE_TIMING })
  world.sandbox.state().calls.clear()
  return connectionId
}
const ask = async (connectionId: ConnectionId, kind?: SyncKind) =>
  (await requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind })).runId
const work = (runId: RunId, options: Partial<SyncOptions> = {}) =>
  runSync(
    { organizationId: world.organizationId, runId },
    { partner: world.partner, timing, now: NOW, signal: new AbortController().signal, ...options },
  )
async function run(connectionId: ConnectionId, kind?: SyncKind, options: Partial<SyncOptions> = {}) {
  const runId = await ask(connectionId, kind)
  return { runId, outcome: await work(runId, options) }
}
const account = () => world.sandbox.state().requireAccount(ACCOUNT)
const mutations = () => world.sandbox.state().mutations
const linesCalls = () => dataCalls(world).filter(({ list }) => list === '/invoices/lines').length
const readRun = async (runId: RunId) =>
  (await world.database.query('select * from sync_run where id = $1', [runId]))[0] as Record<string, unknown>
const recent = (n = 0) => account().story.filter(({ header }) => String(header.issuing_date) > '2026-10-20')[n]
/** The call for the first page of the whole list of lines, which tells how long it is. */
const PROBE = 1

test('P16: a sync of an unchanged account asks for no line, writes nothing, and takes little more than its invoices', async () => {
  const connectionId = await start()
  const { runId, outcome } = await run(connectionId, 'changes')
  expect(outcome).toBe('succeeded')
  expect(linesCalls()).toBe(PROBE)
  // profiles, the first pages of both lists, and the parts of the invoices
  expect(dataCalls(world).length).toBeLessThanOrEqual(3 + 6)
  expect(await readRun(runId)).toMatchObject({ inserted: 0, updated: 0, lines_received: 0, lines_missing: 0 })
})

test('P16: a complete reading leaves no line to be read again, though its lists are cut at other days', async () => {
  world.sandbox.reset()
  const { connectionId } = await world.connect(ACCOUNT)
  // invoices in two parts, lines in many: each has to come after that of its invoices
  const { runId } = await run(connectionId, 'backfill', { timing: { ...timing, completeWindowRecords: 55 } })
  const [windows] = await world.database.query(
    `select count(*) filter (where list = 'invoices')::int as invoices, count(*) filter (where list = 'lines')::int as lines
     from sync_window where run_id = $1 and state = 'complete'`,
    [runId],
  )
  expect(Number(windows?.lines)).toBeGreaterThan(2 * Number(windows?.invoices))
  world.sandbox.state().calls.clear()
  await run(connectionId, 'changes')
  expect(linesCalls()).toBe(PROBE)
})

test('P16: lines of changed invoices are read at the fewest calls, each by its number or a range of days', async () => {
  const connectionId = await start()
  const before = world.sandbox.state().calls.list().length
  expect(before).toBe(0)
  mutations().updateInvoice(account(), recent()?.serialNumber as string, { reference: 'PO 7' })
  await run(connectionId, 'changes')
  expect(linesCalls()).toBe(PROBE + 1)
  await expectUpstream(world, connectionId, ACCOUNT)

  // fifty small invoices of one day are three pages, and not fifty calls
  for (let n = 0; n < 50; n++) world.sandbox.state().issueInvoice(ACCOUNT, { lines: 1, issuingDate: '2026-11-19' })
  world.sandbox.state().calls.clear()
  const { runId } = await run(connectionId, 'changes')
  expect(linesCalls()).toBe(PROBE + 3)
  await expectUpstream(world, connectionId, ACCOUNT)
  const windows = await world.database.query(
    `select issued_from, issued_upto, received from sync_window where run_id = $1 and list = 'lines' and state = 'complete'`,
    [runId],
  )
  expect(windows).toEqual([{ issued_from: '2026-11-19', issued_upto: '2026-11-19', received: 50 }])
})

test.each(['before-request', 'after-response', 'before-commit', 'after-commit', 'before-finish'] as const)(
  'F19: a worker that dies at %s leaves no changed invoice without its lines, whoever goes on',
  async (place) => {
    for (const ending of ['takeover', 'cancel'] as const) {
      const connectionId = await start()
      for (const invoice of account().story.slice(-12))
        mutations().updateInvoice(account(), invoice.serialNumber, { reference: `PO ${place}` })
      const added = world.sandbox.state().issueInvoice(ACCOUNT, { lines: 3, issuingDate: '2026-11-19' })
      expect(added.lineIds).toHaveLength(3)
      const deaths = place === 'before-finish' ? [1] : [2, 5, 8]
      for (const limit of deaths) {
        let count = 0
        const failpoint = (name: string) => {
          if (name === place) count += 1
          if (name === place && count === limit) throw new OperationalError('sync-fenced', 'died')
        }
        const { runId } = await run(connectionId, 'changes', { failpoint })
        if (ending === 'cancel') await controlRun(world.organizationId, connectionId, 'cancel')
        else await world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
      }
      expect((await run(connectionId, 'changes')).outcome).toBe('succeeded')
      await expectUpstream(world, connectionId, ACCOUNT)
      // and it is over then
      world.sandbox.state().calls.clear()
      await run(connectionId, 'changes')
      expect(linesCalls()).toBe(PROBE)
    }
  },
  120_000,
)

test('F26: who asks while a sync of changes is under way gets all recent lines, also from the next worker', async () => {
  const connectionId = await start()
  const line = recent()?.lines.at(-1)?.wire.id as string
  mutations().updateLine(account(), line, { description: 'Corrected later' })
  const { runId } = await run(connectionId, 'changes', {
    failpoint: (name) => {
      if (name === 'before-finish') throw new OperationalError('sync-fenced', 'died')
    },
  })
  expect(linesCalls()).toBe(PROBE)
  expect(await ask(connectionId)).toBe(runId)
  await world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
  expect(await work(runId)).toBe('succeeded')
  expect(await readRun(runId)).toMatchObject({ kind: 'incremental' })
  await expectUpstream(world, connectionId, ACCOUNT)
})

test('a hint is followed with its lines, and the next sync of changes does not read them again', async () => {
  const connectionId = await start()
  const { serialNumber } = recent() as NonNullable<ReturnType<typeof recent>>
  mutations().updateInvoice(account(), serialNumber, { reference: 'PO 8' })
  await takeInvoiceHint({ serialNumber, profileId: null })
  const [{ id }] = (await world.database.query<{ id: RunId }>(
    `select id from sync_run where connection_id = $1 and status = 'queued'`,
    [connectionId],
  )) as [{ id: RunId }]
  expect(await work(id)).toBe('succeeded')
  expect(linesCalls()).toBe(1)
  await expectUpstream(world, connectionId, ACCOUNT)
  world.sandbox.state().calls.clear()
  await run(connectionId, 'changes')
  expect(linesCalls()).toBe(PROBE)
})

test('F25: a sync of changes judges the lines it has read, and no others', async () => {
  const connectionId = await start()
  const [voided, changed, untouched] = [recent(0), recent(1), recent(2)] as const
  mutations().removeInvoice(account(), voided?.serialNumber as string)
  mutations().updateInvoice(account(), changed?.serialNumber as string, { reference: 'PO 9' })
  mutations().removeLine(account(), changed?.lines[0]?.wire.id as string)
  // gone upstream, but nothing this sync asks for says so
  const lines = untouched?.lines as NonNullable<typeof untouched>['lines']
  const [line] = lines.splice(0, 1, { ...lines[0], wire: { ...lines[0]?.wire, id: 'another-id' } } as (typeof lines)[0])
  account().revision += 1
  const { runId } = await run(connectionId, 'changes')
  const missing = await world.database.query<{ id: string; invoice: string }>(
    `select id, invoice_serial_number as invoice from line where connection_id = $1 and missing_since is not null`,
    [connectionId],
  )
  expect(missing.filter(({ id }) => id === line?.wire.id)).toEqual([])
  expect(new Set(missing.map(({ invoice }) => invoice))).toEqual(new Set([voided?.serialNumber, changed?.serialNumber]))
  expect(await readRun(runId)).toMatchObject({ invoices_missing: 1, lines_missing: (voided?.lines.length ?? 0) + 1 })
})
