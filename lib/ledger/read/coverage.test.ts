import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { proveCompleteness } from '#lib/reconcile/completeness.ts'
import { NOTHING_ASIDE, tieOutInvoice } from '#lib/reconcile/tie-out.ts'
import { stateOf, worstOf } from '#lib/reconcile/verdict.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import {
  type InvoiceCompleteness,
  type InvoiceKey,
  readCompleteness,
} from '../kept/plain-invoices/read-completeness.ts'
import type { Coverage } from '../model.ts'
import { DEFAULT_INVOICE_QUERY, parseInvoiceQuery, writeInvoiceQuery } from '../query/invoice-query.ts'
import { toSearchParams } from '../query/search-params.ts'
import { day, decimal, seedOrganization } from '../test-support/seed.ts'
import { getCoverage } from './coverage.ts'
import { countInvoices, listMonths, toCoverage, toMonthDays, toVerifiedAt } from './coverage-cells.ts'
import { getInvoice } from './get-invoice.ts'
import { getProofs } from './get-proofs.ts'
import { listInvoices } from './list-invoices.ts'

let world: SyncWorld
let connectionId: ConnectionId
const NOW = new Date('2026-11-20T12:00:00Z')

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect('nordlicht')).connectionId
})
afterAll(() => world.close())

const query = <Row extends Record<string, unknown>>(text: string) => world.database.query<Row>(text, [connectionId])
const prove = async () => {
  const invoices = await query<InvoiceKey>(
    `select connection_id as "connectionId", serial_number as "serialNumber" from invoice where connection_id = $1`,
  )
  return withTenantSql(world.organizationId, (sql) => readCompleteness(sql, world.organizationId, invoices))
}
const cover = async () => (await getCoverage(world.organizationId, connectionId, NOW)) as Coverage
const cellsOf = (coverage: Coverage) => coverage.profiles.flatMap(({ cells }) => cells)

test('before the first reading every month since 2019 is unread and none is empty', async () => {
  const coverage = await cover()
  expect(coverage.months.at(0)).toBe('2019-01')
  expect(coverage.months.at(-1)).toBe('2026-11')
  expect(coverage.profiles).toEqual([])
  expect(coverage.lists).toEqual([
    { list: 'invoices', reported: null, held: 0, rejected: 0 },
    { list: 'lines', reported: null, held: 0, rejected: 0 },
  ])
})

test('every invoice equals its own figures unless a line is rejected; credit used explains the rest', async () => {
  await syncNow(world, connectionId)
  const proved = await prove()
  const rejected = await query<{ serial: string }>(
    `select distinct invoice_serial_number as serial from rejected_line where connection_id = $1 order by 1`,
  )
  const serials = (verdict: string) =>
    proved.filter(({ completeness }) => completeness.verdict === verdict).map(({ serialNumber }) => serialNumber)
  expect(serials('differs').sort()).toEqual(rejected.map(({ serial }) => serial))
  const credit = await query<{ serial: string }>(
    'select serial_number as serial from invoice where connection_id = $1 and credit_used > 0 order by 1',
  )
  expect(serials('explained').sort()).toEqual(credit.map(({ serial }) => serial))
  expect(serials('complete')).toHaveLength(proved.length - rejected.length - credit.length)
  expect(credit.length).toBeGreaterThan(0)
  // the three ways an invoice carries its lines: whole, counted, absent
  const counts = new Set(proved.map(({ completeness }) => completeness.count.outcome))
  expect(counts).toEqual(new Set(['agrees', 'not_provided']))
})

test('the calendar adds up to what is held, and each cell to the invoices behind its link', async () => {
  const coverage = await cover()
  const [counted] = await query<{ invoices: number; lines: number; first: string }>(
    `select (select count(*)::int from invoice where connection_id = $1) as invoices,
            (select count(*)::int from line where connection_id = $1) as lines,
            (select min(issuing_date)::text from invoice where connection_id = $1) as first`,
  )
  const cells = cellsOf(coverage)
  expect(coverage.months[0]).toBe(`${counted?.first.slice(0, 4)}-01`)
  expect(cells.reduce((sum, cell) => sum + cell.invoiceCount, 0)).toBe(counted?.invoices)
  expect(cells.reduce((sum, cell) => sum + cell.lineCount, 0)).toBe(counted?.lines)
  for (const profile of coverage.profiles)
    for (const cell of profile.cells.filter(({ invoiceCount }) => invoiceCount > 0)) {
      const { from, to } = toMonthDays(cell.month)
      const filters = { connections: [connectionId], profiles: [profile.id ?? ''], from: day(from), to: day(to) }
      const list = await listInvoices(world.organizationId, { ...DEFAULT_INVOICE_QUERY, ...filters })
      expect(list.invoiceCount).toBe(cell.invoiceCount)
      expect(list.totals.reduce((sum, total) => sum + total.lineCount, 0)).toBe(cell.lineCount)
    }
})

test('the lists hold what the platform reports, rejected records included', async () => {
  const { lists } = await cover()
  for (const { reported, held, rejected } of lists) expect(held + rejected).toBe(reported)
  expect(lists[1]?.rejected).toBe(2)
})

test('a month is read, empty or before the first invoice, and says the worst of its invoices and lines', async () => {
  const coverage = await cover()
  const states = new Set(cellsOf(coverage).map(({ state }) => state))
  expect(states).toEqual(new Set(['verified', 'empty', 'before']))
  const aside = cellsOf(coverage).filter(({ states }) => (states.not_imported ?? 0) > 0)
  expect(aside.reduce((sum, cell) => sum + cell.rejectedLineCount, 0)).toBe(2)
  for (const { verdict, states, lineStates } of cellsOf(coverage))
    expect(verdict).toBe(worstOf([stateOf({ parts: states }), stateOf({ parts: lineStates })]))
  const [flagged] = await query<{ lines: number }>(
    'select count(*)::int as lines from line where connection_id = $1 and finding_count > 0',
  )
  const counted = cellsOf(coverage).flatMap(({ lineStates }) => Object.values(lineStates))
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(flagged?.lines)
  expect(cellsOf(coverage).every(({ verifiedAt }) => verifiedAt !== null)).toBe(true)
})

test('losing a line makes its invoice and month fall behind, and the next sync fills the gap', async () => {
  const [line] = await query<{ id: string; serial: string; month: string; profile: string }>(
    `select l.id, i.serial_number as serial, to_char(i.issuing_date, 'YYYY-MM') as month, i.profile_id as profile
     from line l join invoice i using (organization_id, connection_id)
     where i.serial_number = l.invoice_serial_number and l.connection_id = $1 and i.stated_line_count > 3 and l.total_amount > 0 and i.credit_used is null
       and not exists (select from rejected_line r where r.organization_id = i.organization_id and r.invoice_serial_number = i.serial_number) order by l.id limit 1`,
  )
  if (line === undefined) throw new Error('no line')
  const cell = async () =>
    (await cover()).profiles.find(({ id }) => id === line.profile)?.cells.find(({ month }) => month === line.month)
  const before = await cell()
  await world.database.query('delete from line where id = $1', [line.id])
  expect(await getInvoice(world.organizationId, connectionId, line.serial)).toMatchObject({
    check: { verdict: 'lines_missing', linesMissing: 1 },
    completeness: { count: { outcome: 'differs' }, total: { outcome: 'differs' }, taxes: { outcome: 'differs' } },
  })
  expect(await cell()).toMatchObject({
    verdict: 'unexplained',
    linesMissing: 1,
    states: { unexplained: (before?.states.unexplained ?? 0) + 1 },
  })
  await syncNow(world, connectionId)
  expect(await cell()).toMatchObject({ linesMissing: 0, states: before?.states, verdict: before?.verdict })
})

test('the list of invoices filters by their states', async () => {
  const all = await listInvoices(world.organizationId, { ...DEFAULT_INVOICE_QUERY, pageSize: 200 })
  for (const state of ['ties_out', 'not_imported', 'note'] as const) {
    const narrowed = await listInvoices(world.organizationId, {
      ...DEFAULT_INVOICE_QUERY,
      states: [state],
      pageSize: 200,
    })
    expect(narrowed.rows.map(({ serialNumber }) => serialNumber)).toEqual(
      all.rows.filter(({ check }) => stateOf({ invoice: check }) === state).map(({ serialNumber }) => serialNumber),
    )
    expect(narrowed.allInvoiceCount).toBe(all.invoiceCount)
  }
  const both = { ...DEFAULT_INVOICE_QUERY, states: ['unexplained' as const, 'explained' as const] }
  expect(parseInvoiceQuery(toSearchParams(new URLSearchParams(writeInvoiceQuery(both))))).toEqual(both)
  expect(parseInvoiceQuery({ check: 'perfect' }).states).toEqual([])
})

test('an invoice and lines gone from the platform leave no gap', async () => {
  const { mutations, requireAccount } = world.sandbox.state()
  const [invoice] = await query<{ serial: string; month: string; profile: string; invoices: number }>(
    `select serial_number as serial, to_char(issuing_date, 'YYYY-MM') as month, profile_id as profile from invoice i
     where connection_id = $1 and (select count(*) from line l where l.organization_id = i.organization_id and l.invoice_serial_number = i.serial_number) between 1 and 4
       and not exists (select from rejected_line r where r.organization_id = i.organization_id and r.invoice_serial_number = i.serial_number)
     order by issuing_date desc, serial_number limit 1`,
  )
  if (invoice === undefined) throw new Error('no invoice')
  const cell = async () =>
    (await cover()).profiles
      .find(({ id }) => id === invoice.profile)
      ?.cells.find(({ month }) => month === invoice.month)
  const before = await cell()
  mutations.removeInvoice(requireAccount('nordlicht'), invoice.serial)
  await syncNow(world, connectionId)
  const left = (before?.invoiceCount ?? 0) - 1
  const state = left === 0 ? 'gone' : before?.state
  expect(await cell()).toMatchObject({ goneCount: 1, invoiceCount: left, states: { removed: 1 }, state })
  // the calendar and the figure above it count the same invoices
  const coverage = await cover()
  expect(cellsOf(coverage).reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)).toBe(coverage.lists[0]?.held)
})

test('shows the last twelve months of every connection in one row each', async () => {
  const [compact] = (await getProofs(world.organizationId, NOW)).coverage
  expect(compact?.cells.map(({ month }) => month)).toEqual(listMonths('2025-12', '2026-11'))
  const coverage = await cover()
  for (const cell of compact?.cells ?? []) {
    const mine = cellsOf(coverage).filter(({ month }) => month === cell.month)
    expect(cell.invoiceCount).toBe(mine.reduce((sum, { invoiceCount }) => sum + invoiceCount, 0))
    expect(cell.lineCount).toBe(mine.reduce((sum, { lineCount }) => sum + lineCount, 0))
  }
})

test('a profile that the platform does not list has the name and the one currency of its invoices', async () => {
  const shown = async () => (await cover()).profiles.map(({ id, name, currency }) => ({ id, name, currency }))
  const listed = await shown()
  await query('create temporary table listed as select * from profile where connection_id = $1')
  await query('delete from profile where connection_id = $1')
  expect(await shown()).toEqual(
    await query(
      `select profile_id as id, max(profile_name) as name, case when count(distinct currency) = 1 then max(currency) end as currency
       from invoice where connection_id = $1 group by 1 order by 2 nulls last, 1`,
    ),
  )
  await world.database.query('insert into profile select * from listed')
  expect(await shown()).toEqual(listed)
})

test('another organization gets nothing', async () => {
  const other = await seedOrganization(world.database.query, 'Other')
  expect(await getCoverage(other.organizationId, connectionId, NOW)).toBeNull()
  expect(await getCoverage(other.organizationId, 'no-uuid', NOW)).toBeNull()
  expect(await getProofs(other.organizationId, NOW)).toEqual({
    tieOut: { currencies: [], findings: [] },
    scoped: { currencies: [], findings: [] },
    before: null,
    coverage: [],
    of: { survey: { plain: [], proved: [] }, reviews: new Map() },
  })
})

test('a reading counts for a month only when both lists were read on all of its days', () => {
  const at = (list: 'invoices' | 'lines', from: string | null, upto: string | null, moment: string) => ({
    list,
    from,
    upto,
    at: moment,
  })
  expect(toVerifiedAt('2026-03', [at('invoices', null, null, '2026-04-01')])).toBeNull()
  expect(toVerifiedAt('2026-03', [at('invoices', null, null, '5'), at('lines', '2026-03-02', null, '6')])).toBeNull()
  expect(
    toVerifiedAt('2026-03', [at('invoices', null, null, '5'), at('lines', '2026-03-01', '2026-03-30', '6')]),
  ).toBeNull()
  expect(
    toVerifiedAt('2026-03', [
      at('invoices', null, null, '5'),
      at('lines', '2026-03-01', '2026-03-31', '6'),
      at('lines', null, null, '3'),
    ]),
  ).toBe('5')
})

test('a month without invoices is unread, before the first, or empty; one with invoices is held until read', () => {
  const whole = (['invoices', 'lines'] as const).map((list) => ({
    list,
    from: '2026-02-01',
    upto: null,
    at: '2026-04-02',
  }))
  const profile = { id: 'p', name: 'P', currency: 'EUR', firstMonth: '2026-01' }
  const completeness = proveCompleteness({
    currency: 'EUR',
    total: decimal('1'),
    creditUsed: null,
    statedLineCount: 1,
    statedTaxes: [],
    heldTaxes: [
      { taxRegime: null, taxPercentage: decimal('0'), lineCount: 1, taxAmount: decimal('0'), total: decimal('1') },
    ],
    rejectedLineCount: 0,
    otherCurrencyLineCount: 0,
  })
  const nothing = { notImported: NOTHING_ASIDE, removed: NOTHING_ASIDE }
  const invoice = (month: string, isGone = false): InvoiceCompleteness => ({
    connectionId: 'c' as ConnectionId,
    serialNumber: `INV-${month}`,
    profileId: 'p',
    profileName: 'P',
    issuingDate: day(`${month}-15`),
    currency: 'EUR',
    isGone,
    completeness,
    tieOut: tieOutInvoice('EUR', completeness, nothing),
    findings: [],
    notes: [],
  })
  const [calendar] = toCoverage(
    listMonths('2025-12', '2026-04'),
    [profile, { ...profile, id: 'late', firstMonth: '2026-04' }],
    countInvoices({ plain: [], proved: [invoice('2026-01'), invoice('2026-03')] }),
    whole,
  )
  expect(calendar?.cells.map(({ state }) => state)).toEqual(['unread', 'held', 'empty', 'verified', 'empty'])
  const removed = countInvoices({ plain: [], proved: [invoice('2026-01', true), invoice('2026-03', true)] })
  const [emptied] = toCoverage(listMonths('2025-12', '2026-04'), [profile], removed, whole)
  expect(emptied?.cells.map(({ state, invoiceCount }) => [state, invoiceCount])).toEqual(
    ['unread', 'unread', 'empty', 'gone', 'empty'].map((state) => [state, 0]),
  )
  const [, late] = toCoverage(
    listMonths('2026-02', '2026-04'),
    [profile, { ...profile, id: 'late', firstMonth: '2026-04' }],
    [],
    whole,
  )
  expect(late?.cells.map(({ state }) => state)).toEqual(['before', 'before', 'empty'])
})
