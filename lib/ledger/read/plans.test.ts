/** How PostgreSQL answers the standard questions: none scans the table of lines. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { type Period, parsePeriod } from '#lib/reconcile/period.ts'
import { fillSearchTextsBatch } from '../apply/fill-search-texts.ts'
import { listChanges, summarizeChanges } from '../history/history-list.ts'
import { noteInvoiceWords } from '../kept/invoice-words/note-invoice-words.ts'
import { notePlainInvoices } from '../kept/plain-invoices/note-plain-invoices.ts'
import { parseGroupQuery } from '../query/group-query.ts'
import { parseChangeQuery } from '../query/history-query.ts'
import { parseInvoiceQuery } from '../query/invoice-query.ts'
import { EVERYTHING } from '../query/ledger-scope.ts'
import { parseLineQuery } from '../query/line-query.ts'
import { SUMMARY_QUERY } from '../query/summary-query.ts'
import {
  applyLines,
  day,
  decimal,
  makeInvoice,
  makeLine,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { listFilterOptions } from './choices/list-filter-options.ts'
import { searchFilterOptions } from './choices/search-filter-options.ts'
import { getCoverage } from './coverage.ts'
import { getInvoice } from './get-invoice.ts'
import { getLine } from './get-line.ts'
import { countsForNavigation, getOverview } from './get-overview.ts'
import { getProofs } from './get-proofs.ts'
import { listGroups } from './list-groups.ts'
import { listInvoices } from './list-invoices.ts'
import { listLines, listLinesAhead } from './list-lines.ts'
import { listSyncTimes } from './list-sync-times.ts'
import { summarizeLines } from './summarize-lines.ts'

const LINES = 20_000
const LINES_PER_INVOICE = 50
const INVOICES = LINES / LINES_PER_INVOICE
const LINES_WITH_FINDINGS = LINES / 1000
const AMOUNTS = 1000
/** One more than the average. */
const LINES_OF_DAY = Math.floor(LINES / 350) + 1
/** Its ends are four days and three days less than sums of ten days. */
const SPAN = { from: '2026-03-05', to: '2026-05-17' }
const NOW = new Date('2026-11-22T12:00:00Z')

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

/** How many entries of `line` and its indexes a question may look at; 0 for the roll-ups' own. */
type Question = { name: string; most: number; ask: () => Promise<unknown> }

/** It may walk the whole index of the list; nobody may walk the table. */
const INDEX = Number.POSITIVE_INFINITY

const SUMMED_BY = [
  ['month'],
  ['month', 'vertical'],
  ['month', 'cost_center'],
  ['cost_center', 'vertical'],
  ['month', 'profile'],
  ['month', 'tax_regime', 'tax_percentage'],
  ['service'],
  ['trip'],
]

/** A page of keys from the index of the list, and its lines by key. */
const PAGE = 2 * 50

/** Where a search looks first whether a page is full at once, and among how many it then looks. */
const PROBE = 5000
const FEW_LINES = LINES / 10

const { from, to } = parsePeriod('2026-Q2') as Period
const QUARTER = { ...EVERYTHING, from, to, dateField: 'issued' } as const

const QUESTIONS: Question[] = [
  { name: 'the overview', most: LINES_WITH_FINDINGS, ask: () => getOverview(organizationId, dayOf(0)) },
  ...[
    { name: 'a quarter of issue', scope: QUARTER },
    { name: 'a quarter of expense', scope: { ...QUARTER, dateField: 'expense' as const } },
    { name: 'a profile in a quarter of issue', scope: { ...QUARTER, profiles: ['profile-2'] } },
    { name: 'a currency', scope: { ...EVERYTHING, currencies: ['EUR'] } },
  ].map(
    ({ name, scope }): Question => ({
      name: `the overview of ${name}`,
      most: 2 * LINES_WITH_FINDINGS,
      ask: () => getOverview(organizationId, dayOf(0), scope),
    }),
  ),
  { name: 'the counts of the sidebar', most: 0, ask: () => countsForNavigation(organizationId) },
  { name: 'the choices of the filters', most: 0, ask: () => listFilterOptions({ organizationId, foldsNames: false }) },
  {
    name: 'the trips to choose from',
    most: 0,
    ask: () => searchFilterOptions({ organizationId, foldsNames: false }, 'trips', 'berlin', 20),
  },
  {
    name: 'the cost centers to choose from',
    most: 0,
    ask: () => searchFilterOptions({ organizationId, foldsNames: false }, 'costCenters', '4', 20),
  },
  { name: 'the coverage of an account', most: 0, ask: () => getCoverage(organizationId, connectionId, NOW) },
  { name: 'the tie-out and the coverage of all accounts', most: 0, ask: () => getProofs(organizationId, NOW) },
  { name: 'the tie-out of a quarter', most: 0, ask: () => getProofs(organizationId, NOW, QUARTER) },
  lines('a page of the lines', PAGE, {}),
  lines('lines of a currency', PAGE, { currency: 'EUR' }),
  lines('lines of a span of days', INDEX, { from: '2026-03-05', to: '2026-05-17' }),
  lines('lines of a vertical and a cost center', INDEX, { vertical: 'hotel', cost_center: '4003' }),
  lines('lines of a profile', INDEX, { profile: 'profile-2' }),
  lines('lines of a trip', INDEX, { trip: 'trip-7' }),
  lines('lines of an invoice', INDEX, { invoice: toSerial(7) }),
  lines('lines by amount, largest first', 4000, { sort: '-total_amount' }),
  lines('lines by amount, smallest first', 4000, { sort: 'total_amount' }),
  // four of each trip
  lines('lines by trip', 5 * 50, { sort: 'trip' }),
  // what was issued then, and no other line
  lines('lines issued in a quarter', LINES * 0.3, { date: 'issued', from: '2026-01-01', to: '2026-03-31' }),
  lines('lines with findings', INDEX, { findings: '1' }),
  // for the page, for the totals, and those of the page once more
  lines('lines with findings, by difference', 3 * LINES_WITH_FINDINGS, { findings: '1', sort: '-difference' }),
  lines('lines with a text', PROBE + FEW_LINES, { q: toId(7777) }),
  {
    name: 'the first lines of a text that most have',
    most: 2 * PAGE,
    ask: () => listLinesAhead(organizationId, parseLineQuery({ q: 'berlin' })),
  },
  lines('lines with a text, by trip', FEW_LINES, { q: toId(7777), sort: 'trip' }),
  lines('lines with an amount', PROBE + FEW_LINES, { q: '777,00' }),
  lines('lines with a text that none has', PROBE, { q: 'booking' }),
  groups('groups of lines with a text', 2 * FEW_LINES, { by: 'vertical', q: toId(7777) }),
  summary('sums of lines with a text', { by: 'vertical', q: toId(7777) }, FEW_LINES),
  groups('groups by trip', 0, { by: 'trip' }),
  groups('groups by trip, largest first', 0, { by: 'trip', sort: '-total' }),
  groups('groups by trip of a quarter', 0, { by: 'trip', date: 'issued', from: '2026-01-01', to: '2026-03-31' }),
  groups('groups by cost center', 0, { by: 'cost_center' }),
  groups('groups by vertical', 0, { by: 'vertical' }),
  groups('groups by vertical in a currency', 0, { by: 'vertical', currency: 'EUR' }),
  groups('groups by cost center of a span of days', INDEX, { by: 'cost_center', from: '2026-03-05', to: '2026-05-17' }),
  ...SUMMED_BY.map((by) => summary(`sums by ${by.join(', ')}`, { by: by.join() })),
  summary('sums by vertical of a span of days', { by: 'vertical', ...SPAN }, 7 * LINES_OF_DAY),
  summary('sums by cost center of a span of days', { by: 'cost_center', ...SPAN }, 7 * LINES_OF_DAY),
  summary('sums by month of a span of days', { by: 'month', ...SPAN }, 7 * LINES_OF_DAY),
  summary('months of a service in a cost center', { by: 'month', service: 'hotel', cost_center: '4003' }, LINES / 100),
  summary(
    'tax rates of lines issued in a span of days',
    { by: 'tax_percentage,month', mode: 'agency', date: 'issued', ...SPAN },
    LINES / 20,
  ),
  summary('sums by vertical of two whole months', { by: 'vertical', from: '2026-03-01', to: '2026-04-30' }),
  { name: 'a page of the invoices', most: 0, ask: () => listInvoices(organizationId, parseInvoiceQuery({})) },
  {
    name: 'the invoices that do not add up',
    most: 0,
    ask: () => listInvoices(organizationId, parseInvoiceQuery({ check: 'unexplained' })),
  },
  {
    name: 'an invoice',
    most: 3 * LINES_PER_INVOICE,
    ask: () => getInvoice(organizationId, connectionId, toSerial(7)),
  },
  { name: 'a line', most: 1, ask: () => getLine(organizationId, connectionId, toId(7)) },
  { name: 'the changes', most: 0, ask: () => listChanges(organizationId, parseChangeQuery({}), NOW) },
  {
    name: 'the changes in short',
    most: 0,
    ask: () => summarizeChanges(organizationId, dayOf(NOW.getTime() - 7 * 86_400_000)),
  },
  { name: 'when it was synced', most: 0, ask: () => listSyncTimes(organizationId) },
  { name: 'the lines whose search text is not of this version', most: 0, ask: () => fillSearchTextsBatch() },
]

function lines(name: string, most: number, search: Record<string, string>): Question {
  return { name, most, ask: () => listLines(organizationId, parseLineQuery(search)) }
}

function groups(name: string, most: number, search: Record<string, string>): Question {
  return { name, most, ask: () => listGroups(organizationId, parseGroupQuery(search)) }
}

function summary(name: string, search: Record<string, string>, most = 0): Question {
  return { name, most, ask: () => summarizeLines(organizationId, SUMMARY_QUERY.parse(search)) }
}

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  for (let from = 0; from < LINES; from += 2000)
    await seedLines(
      organizationId,
      connectionId,
      Array.from({ length: 2000 }, (_, at) => toLine(from + at)),
    )
  const invoices = Array.from({ length: INVOICES }, (_, at) =>
    makeInvoice({ serialNumber: toSerial(at), issuingDate: toExpenseDay(at * LINES_PER_INVOICE) }),
  )
  await seedInvoices(organizationId, connectionId, invoices)
  await database.query(
    `insert into profile (organization_id, connection_id, id, name, raw, content_hash)
     select organization_id, connection_id, profile_id, min(profile_name), '{}', '' from invoice group by 1, 2, 3`,
  )
  await noteInvoiceWords({ organizationId, connectionId })
  // as after a backfill, when PostgreSQL has done so by itself; it marks pages as visible to all
  // only once their commits are on disk
  await database.query('set synchronous_commit = on')
  await database.query('analyze line, invoice, line_rollup, trip_rollup, invoice_rollup, invoice_words')
  await database.query('vacuum line, invoice')
}, 120_000)
afterAll(() => database.drop())

function toLine(at: number) {
  const change = {
    id: toId(at),
    invoiceSerialNumber: toSerial(Math.floor(at / LINES_PER_INVOICE)),
    expenseDate: toExpenseDay(at),
    tripId: `trip-${Math.floor(at / 4)}`,
    tripName: `Trip to Berlin ${Math.floor(at / 4)}`,
    invoiceMode: Math.floor(at / LINES_PER_INVOICE) % 7 === 0 ? 'agency' : 'reseller',
    issuingDate: toExpenseDay(at - (at % LINES_PER_INVOICE)),
    profileId: `profile-${Math.floor(at / LINES_PER_INVOICE) % 5}`,
    relatedVertical: ['flight', 'hotel', 'train', 'car'][at % 4] ?? null,
    service: ['flight', 'hotel', 'train', 'car', 'seat'][at % 5] ?? null,
    costCenter: `40${String(Math.floor(at / 4) % 25).padStart(2, '0')}`,
  }
  return at % 1000 === 0
    ? makeLine({ ...change, totalAmount: decimal('119.01') })
    : makeLineOf(`${100 + (at % AMOUNTS)}.00`, change)
}

function toId(at: number): string {
  return `line-${String(at).padStart(8, '0')}`
}

function toTextHash(at: number): string {
  return at.toString(16).padStart(64, '0')
}

function toSerial(invoice: number): string {
  return `INV-01-${String(invoice).padStart(6, '0')}`
}

/** The first lines are from November 2026, the last from December 2025. */
function toExpenseDay(at: number) {
  const days = Math.floor((at / LINES) * 350)
  return day(new Date(Date.UTC(2026, 10, 15 - days)).toISOString().slice(0, 10))
}

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

type Statement = { text: string; values: unknown[] }

/** What the question asks the database for, in its own words. */
async function recordStatements(ask: () => Promise<unknown>): Promise<Statement[]> {
  const client = await withTenantSql(organizationId, async (sql) => Object.getPrototypeOf(sql.client))
  const query = vi.spyOn(client, 'query')
  try {
    await ask()
    return query.mock.calls.flatMap(([text, values]) =>
      typeof text === 'string' && /^\s*(select|with)\b/.test(text)
        ? [{ text, values: (values ?? []) as unknown[] }]
        : [],
    )
  } finally {
    query.mockRestore()
  }
}

/** The parts of a plan, as they were run. */
async function listParts({ text, values }: Statement): Promise<PlanNode[]> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (analyze, timing off, format json) ${text}`, values),
  )
  return row?.['QUERY PLAN'].flatMap(({ Plan }) => listNodes(Plan)) ?? []
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}

/** The parts of all plans of a question. */
async function partsOf(ask: () => Promise<unknown>): Promise<PlanNode[]> {
  const statements = await recordStatements(ask)
  expect(statements.length).toBeGreaterThan(0)
  return (await Promise.all(statements.map(listParts))).flat()
}

async function readsOf(table: 'line' | 'invoice', ask: () => Promise<unknown>): Promise<PlanNode[]> {
  return (await partsOf(ask)).filter((node) => node['Relation Name'] === table)
}

function countRows(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node
  return (node['Actual Rows'] + filtered + rechecked) * node['Actual Loops']
}

test.each(QUESTIONS)('$name: does not scan the lines', async ({ ask, most }) => {
  const reads = await readsOf('line', ask)
  expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(reads.reduce((sum, node) => sum + countRows(node), 0)).toBeLessThanOrEqual(most)
})

test.each([
  ...[
    { name: 'a quarter of issue', scope: QUARTER },
    { name: 'a quarter of expense', scope: { ...QUARTER, dateField: 'expense' as const } },
    { name: 'a profile in a quarter of issue', scope: { ...QUARTER, profiles: ['profile-2'] } },
    { name: 'a currency', scope: { ...EVERYTHING, currencies: ['EUR'] } },
  ].map(
    ({ name, scope }): Question => ({
      name: `the overview of ${name}`,
      most: 2 * LINES_WITH_FINDINGS,
      ask: () => getOverview(organizationId, dayOf(0), scope),
    }),
  ),
  { name: 'the counts of the sidebar', most: 0, ask: () => countsForNavigation(organizationId) },
  { name: 'the overview', most: 0, ask: () => getOverview(organizationId, dayOf(0)) },
  // nobody has judged them: the key of each, and itself
  { name: 'the coverage of an account', most: 2 * INVOICES, ask: () => getCoverage(organizationId, connectionId, NOW) },
  { name: 'the tie-out and the coverage', most: 2 * INVOICES, ask: () => getProofs(organizationId, NOW) },
])('$name: looks at each invoice and its key once at most, or at none', async ({ ask, most }) => {
  const reads = await readsOf('invoice', ask)
  expect(reads.reduce((sum, node) => sum + countRows(node), 0)).toBeLessThanOrEqual(most)
})

test.each([
  // those with lines worth a look
  { name: 'the tie-out and the coverage', most: LINES_WITH_FINDINGS, ask: () => getProofs(organizationId, NOW) },
  {
    name: 'the invoices with missing lines',
    // the list's own totals, and the rows of its page
    most: 1.5 * INVOICES,
    ask: () => listInvoices(organizationId, parseInvoiceQuery({ finding: 'lines_missing' })),
  },
])('$name: looks at no figures that it has proved before', async ({ ask, most }) => {
  await database.query(`update invoice set raw = '{"lines":{"total":51}}'`)
  await notePlainInvoices({ organizationId, connectionId })
  expect(await database.query('select from doubtful_invoice')).toHaveLength(INVOICES)
  await ask()
  const parts = await partsOf(ask)
  await database.query(`update invoice set raw = '{}'`)
  const figures = parts.filter((node) => node['Relation Name'] === 'invoice_rollup')
  expect(figures.reduce((sum, node) => sum + countRows(node), 0)).toBeLessThanOrEqual(most)
})

test('the tie-out of judged invoices looks for none without a judgment', async () => {
  await notePlainInvoices({ organizationId, connectionId })
  const ask = () => getProofs(organizationId, NOW)
  await ask()
  const parts = await partsOf(ask)
  await database.query('delete from plain_invoice')
  await database.query('delete from doubtful_invoice')
  const keys = parts.filter((node) => ['invoice', 'plain_invoice'].includes(node['Relation Name'] ?? ''))
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.reduce((sum, node) => sum + countRows(node), 0)).toBe(0)
})

test.each([
  { name: 'the coverage of an account', ask: () => getCoverage(organizationId, connectionId, NOW) },
  { name: 'the overview of a quarter', ask: () => getProofs(organizationId, NOW, QUARTER) },
  {
    name: 'the invoices that do not add up',
    ask: () => listInvoices(organizationId, parseInvoiceQuery({ check: 'unexplained' })),
  },
  { name: 'the judgments', ask: () => notePlainInvoices({ organizationId, connectionId }) },
  {
    name: 'lines with a text',
    ask: () => listLines(organizationId, parseLineQuery({ q: toId(7777) })),
  },
  { name: 'the notes', ask: () => noteInvoiceWords({ organizationId, connectionId }) },
])('$name: compares no pairs while judgments and notes are too new for statistics', async ({ ask }) => {
  await database.query(`delete from invoice_words where serial_number like '%9'`)
  await database.query('create temp table kept as select * from invoice_words')
  await database.query('delete from invoice_words')
  await database.query('delete from doubtful_invoice')
  await database.query('analyze plain_invoice, doubtful_invoice, invoice_words')
  await database.query(
    `insert into plain_invoice select organization_id, connection_id, serial_number, profile_id, issuing_date, currency, total, 1, false
     from invoice where serial_number not like '%9' and serial_number not like '%8'`,
  )
  await database.query(
    `insert into doubtful_invoice select organization_id, connection_id, serial_number from invoice where serial_number like '%8'`,
  )
  await database.query('insert into invoice_words select * from kept')
  const parts = await partsOf(ask)
  await database.query('delete from plain_invoice')
  await database.query('delete from doubtful_invoice')
  await database.query('drop table kept')
  expect(parts.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0), 0)).toBe(0)
})

test('lines that come, change or go look at the sums of their own trips, and at no others', async () => {
  const ids = Array.from({ length: 100 }, (_, at) => LINES + at)
  const change = { invoiceSerialNumber: toSerial(INVOICES), tripName: 'Trip to Oslo' }
  const changed = ids.map((at) => ({ ...toLine(at), ...change, contentHash: `${at}`, textHash: toTextHash(at) }))
  const read = await withTenantSql(organizationId, async (sql) => {
    const write = (lines: ReturnType<typeof toLine>[]) => applyLines(sql, { organizationId, connectionId, lines })
    const before = await countReads(sql)
    expect((await write(ids.map(toLine))).inserted).toBe(ids.length)
    expect((await write(changed)).updated).toBe(ids.length)
    await sql('delete from line where organization_id = $1 and connection_id = $2 and id = any ($3::text[])', [
      organizationId,
      connectionId,
      ids.map(toId),
    ])
    return (await countReads(sql)) - before
  })
  // of twenty thousand lines and five thousand trips
  expect(read).toBeLessThanOrEqual(10 * ids.length)
})

/** How many rows of lines and trips this connection has looked at. */
async function countReads(sql: Sql): Promise<number> {
  const [row] = await sql<{ rows: number }>(
    `select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
     where relname in ('line', 'trip_rollup')`,
  )
  return row?.rows ?? 0
}

/**
 * Writes a table anew, without rows as they were. A transaction from before, of whichever database
 * of the cluster, keeps them, and with them their days in summaries of blocks: so it is waited for.
 */
async function forgetPastRows(table: string): Promise<void> {
  const [now] = await database.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  const oldest = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as is_later'
  await expect.poll(() => database.query(oldest, [now?.xid]), { timeout: 60_000 }).toEqual([{ is_later: true }])
  await database.query(`vacuum full analyze ${table}`)
}

test('the changes of an account from before look at what arrived since, and at little beside it', async () => {
  await database.query(`update connection set created_at = now() - interval '90 days'`)
  await database.query(
    `update line set first_seen_at = now() - interval '60 days', changed_at = now() - interval '60 days'`,
  )
  await forgetPastRows('line')
  const ask = () => listChanges(organizationId, parseChangeQuery({}), new Date())
  const askInShort = () => summarizeChanges(organizationId, dayOf(Date.now() - 7 * 86_400_000))
  const expectNone = async (question: () => Promise<unknown>) => {
    const reads = await readsOf('line', question)
    expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan')
    expect(reads.reduce((sum, node) => sum + countRows(node), 0)).toBe(0)
  }
  await expectNone(ask)
  await database.query(`update line set total_amount = total_amount + 1, content_hash = 'changed' where id < $1`, [
    toId(200),
  ])
  await forgetPastRows('line')
  const { bridges } = await askInShort()
  expect(bridges.map(({ changed }) => changed.count)).toEqual([200])
  await expectNone(askInShort)
})

test.each([
  ['that many invoices have', 'night', ''],
  ['while no invoice is noted', toId(7777), 'delete from invoice_words'],
])('the search of a text %s scans them: it has nothing to choose by', async (_, text, first) => {
  if (first !== '') await database.query(first)
  const reads = await readsOf('line', () => listLines(organizationId, parseLineQuery({ q: text })))
  expect(reads.map((node) => node['Node Type'])).toContain('Seq Scan')
})
