import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { StoredInvoice } from '#lib/sandbox/data/model.ts'
import type { SyncKind } from '../model.ts'
import { ARRANGE_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { upstreamOf } from '../test-support/test-upstream.ts'
import { runSync } from './run-sync.ts'

const NOW = () => new Date('2026-11-20T12:00:00Z')
const LOOK_BACK_FROM = '2026-10-16'
const ACCOUNT = 'nordlicht'
/** The columns of the table, narrow to wide. */
const KINDS = ['changes', 'incremental', 'verification'] as const

/** The rows of docs/what-a-sync-sees.md: a change, and whether each kind of sync sees it. */
function readRows(): [change: string, cells: string[]][] {
  const text = readFileSync(new URL('../../../docs/what-a-sync-sees.md', import.meta.url), 'utf8')
  const [, table = ''] = text.split('| Change on the platform |')
  return [...table.matchAll(/^\| ([^-|][^|]*) \| (.*) \|$/gm)].map(([, change = '', cells = '']) => [
    change,
    cells.split(' | '),
  ])
}

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
})
afterAll(() => world.close())

/**
 * Reads the account once. Few `windowRecords` make it one that is too long to be read whole; its
 * backfill, which is no column of the table, may be one piece all the same.
 */
async function start(windowRecords = 40) {
  world.sandbox.reset()
  connectionId = (await world.connect(ACCOUNT)).connectionId
  return async (kind: SyncKind) => {
    const { organizationId, partner } = world
    const { runId } = await requestSync(organizationId, connectionId, { trigger: 'schedule', requestedBy: null, kind })
    const timing = kind === 'backfill' ? ARRANGE_TIMING : { ...ARRANGE_TIMING, windowRecords }
    const options = { partner, timing, now: NOW, signal: new AbortController().signal }
    expect(await runSync({ organizationId, runId }, options)).toBe('succeeded')
    return runId
  }
}
let sync: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  sync = await start()
})

const state = () => world.sandbox.state()
const account = () => state().requireAccount(ACCOUNT)
const mutations = () => state().mutations

type Wanted = { isRecent: boolean; isPaid: boolean; repeatsLines?: boolean }
/** An invoice of the story. Its line that a change is made to is its last. */
function find({ isRecent, isPaid, repeatsLines = false }: Wanted): StoredInvoice {
  const found = account().story.find(
    (invoice) =>
      String(invoice.header.issuing_date) >= LOOK_BACK_FROM === isRecent &&
      (invoice.header.status === 'paid') === isPaid &&
      (isPaid || OPEN.includes(String(invoice.header.status))) &&
      (invoice.linesShape === 'flat') === repeatsLines &&
      typeof invoice.lines.at(-1)?.wire.id === 'string',
  )
  if (found === undefined) throw new Error(`no ${isRecent ? 'recent' : 'old'} ${isPaid ? 'paid' : 'open'} invoice`)
  return found
}
const OPEN = ['draft', 'open', 'unpaid']
const RECENT = { isRecent: true, isPaid: false } as const
const OLD_UNPAID = { isRecent: false, isPaid: false } as const
const OLD_PAID = { isRecent: false, isPaid: true } as const

function changeLine(invoice: StoredInvoice, patch: Parameters<SandboxMutations['updateLine']>[2]): void {
  mutations().updateLine(account(), invoice.lines.at(-1)?.wire.id as string, patch)
}
type SandboxMutations = ReturnType<typeof mutations>

function remap(wanted: Wanted): void {
  const invoice = find(wanted)
  const metadata = invoice.lines.at(-1)?.wire.metadata as object
  changeLine(invoice, { metadata: { ...metadata, cost_center: '9900 Mapped anew' } })
}
const correct = (wanted: Wanted) =>
  changeLine(find(wanted), { unit_price: '1.00', non_taxable_unit_price: '0', tax_amount: '0', total_amount: '1.00' })
const setStatus = (wanted: Wanted, status: string) =>
  mutations().updateInvoice(account(), find(wanted).serialNumber, { status })
const voidInvoice = (wanted: Wanted) => mutations().removeInvoice(account(), find(wanted).serialNumber)
const issue = (request: { issuingDate: string; status?: string }) =>
  state().issueInvoice(ACCOUNT, { lines: 3, ...request })

/** What is done on the platform, and what a sync may have done before it. */
const CHANGES: Record<string, () => unknown> = {
  'A new invoice': () => issue({ issuingDate: '2026-11-19' }),
  'A new invoice with an old day of issue, not paid yet': () => issue({ issuingDate: '2026-02-02' }),
  'A new invoice with an old day of issue, already paid': () => issue({ issuingDate: '2026-02-02', status: 'paid' }),
  'A new recent invoice that cannot be read, with its lines': () => {
    const { serialNumber } = issue({ issuingDate: '2026-11-19' })
    mutations().updateInvoice(account(), serialNumber, { currency: 'much' })
  },
  'A recent invoice is paid': () => setStatus(RECENT, 'paid'),
  'An old invoice is paid': () => setStatus(OLD_UNPAID, 'paid'),
  'An old invoice that was paid is open again': () => setStatus(OLD_PAID, 'open'),
  'A recent invoice gets another day of issue': () =>
    mutations().updateInvoice(account(), find(RECENT).serialNumber, { issuing_date: '2026-11-18' }),
  "An amount of a recent line is corrected, and with it the invoice's total": () => correct(RECENT),
  'An amount of a line of an old, unpaid invoice is corrected': () => correct(OLD_UNPAID),
  'An amount of a line of an old, paid invoice is corrected': () => correct(OLD_PAID),
  'A recent invoice gets a refund with an old day of travel': () => {
    const invoice = find(RECENT)
    const { wire } = invoice.lines.at(-1) as StoredInvoice['lines'][number]
    invoice.lines.push({ wire: { ...wire, id: 'a-refund', expense_date: '2026-03-02', total_amount: '-5.00' } })
    account().revision += 1
  },
  'A line of a recent invoice is removed': () =>
    mutations().removeLine(account(), find(RECENT).lines.at(-1)?.wire.id as string),
  'A recent invoice is voided': () => voidInvoice(RECENT),
  'An old, unpaid invoice is voided': () => voidInvoice(OLD_UNPAID),
  'An old, paid invoice is voided': () => voidInvoice(OLD_PAID),
  'A voided invoice is back as it was': async () => {
    const invoice = find(RECENT)
    mutations().removeInvoice(account(), invoice.serialNumber)
    await sync('changes')
    expect(await isSeen()).toBe(true)
    account().back.push(invoice)
    account().revision += 1
  },
  'A line of a recent invoice gets another cost center; the invoice stays as it is': () => remap(RECENT),
  'A line of a recent invoice gets another description; the invoice stays as it is': () =>
    changeLine(find(RECENT), { description: 'Corrected later' }),
  'A line of an old, unpaid invoice gets another cost center': () => remap(OLD_UNPAID),
  'A line of an old, paid invoice gets another cost center': () => remap(OLD_PAID),
  'A line of an old, unpaid invoice gets another cost center, and the list of invoices repeats its lines': () =>
    remap({ ...OLD_UNPAID, repeatsLines: true }),
}

/** Whether the ledger has exactly the platform's invoices and lines, unreadable ones included. */
async function isSeen(): Promise<boolean> {
  const upstream = upstreamOf(world, ACCOUNT)
  const lines = await world.database.query<{ raw: string }>(
    `select p.raw::text as raw from line l join line_payload p on p.organization_id = l.organization_id and p.connection_id = l.connection_id and p.line_id = l.id
     where l.connection_id = $1 and l.missing_since is null
     union all select raw from rejected_line where connection_id = $1 and list = 'lines' and resolved_at is null`,
    [connectionId],
  )
  const invoices = await world.database.query<{ key: string }>(
    `select serial_number as key from invoice where connection_id = $1 and missing_since is null
     union all select record_id from rejected_line where connection_id = $1 and list = 'invoices' and resolved_at is null`,
    [connectionId],
  )
  return (
    JSON.stringify(lines.map(({ raw }) => raw).sort()) === JSON.stringify(upstream.lines) &&
    JSON.stringify(invoices.map(({ key }) => key).sort()) === JSON.stringify(upstream.serialNumbers)
  )
}

test('the table has a row for each change of this test, and no other', () => {
  expect(readRows().map(([change]) => change)).toEqual(Object.keys(CHANGES))
})

test.each(readRows())('F26: %s', async (change, cells) => {
  await sync('backfill')
  await CHANGES[change]?.()
  expect(await isSeen()).toBe(false)
  for (const [column, kind] of KINDS.entries()) {
    const runId = await sync(kind)
    expect({ kind, isSeen: await isSeen() }).toEqual({ kind, isSeen: cells[column] === 'seen' })
    const [run] = await world.database.query('select kind from sync_run where id = $1', [runId])
    expect(run).toEqual({ kind })
    if (cells[column] === 'seen') return
  }
})

test('F26: an account of a few pages is read whole, and its next sync sees every change', async () => {
  sync = await start(1000)
  await sync('backfill')
  for (const change of Object.values(CHANGES)) {
    await change()
    await sync('changes')
    expect(await isSeen()).toBe(true)
  }
})
