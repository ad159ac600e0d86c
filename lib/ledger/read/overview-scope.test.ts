/** Overview inside a scope, beside the list of the same lines and an addition by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { EVERYTHING, type LedgerScope } from '../query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY, type LineFilters } from '../query/line-query.ts'
import { day, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { expectTotals, makeVariedLines, sumExactly, toPlainValue } from '../test-support/seed-varied-lines.ts'
import { getOverview } from './get-overview.ts'
import { listLines } from './list-lines.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
const lines = makeVariedLines(500)
const otherLines = makeVariedLines(60, 8)

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner, 'Acme Europe')
  await seedLines(organizationId, connectionId, lines)
  await seedLines(organizationId, await seedConnection(database.query, owner, null), otherLines)
})
afterAll(() => database.drop())

type Kept = (line: ProvedLine) => boolean
const isIssued = (from: string, to: string) => (line: ProvedLine) =>
  line.issuingDate !== null && line.issuingDate >= from && line.issuingDate <= to
const QUARTER = { from: day('2026-01-01'), to: day('2026-03-31') }

const SCOPES: [name: string, scope: Partial<LedgerScope>, isKept: Kept, monthsOf: string, isSplit: boolean][] = [
  ['everything', {}, () => true, 'expense', true],
  ['a quarter of issue', { ...QUARTER, dateField: 'issued' }, isIssued('2026-01-01', '2026-03-31'), 'expense', true],
  [
    'a month of expense',
    { from: day('2026-02-01'), to: day('2026-02-28') },
    ({ expenseDate }) => expenseDate >= '2026-02-01' && expenseDate <= '2026-02-28',
    'expense',
    true,
  ],
  [
    'days of expense',
    { from: day('2026-01-07'), to: day('2026-02-19') },
    ({ expenseDate }) => expenseDate >= '2026-01-07' && expenseDate <= '2026-02-19',
    'expense',
    true,
  ],
  [
    'a profile in a quarter of issue',
    { ...QUARTER, dateField: 'issued', profiles: ['profile-1'] },
    (line) => line.profileId === 'profile-1' && isIssued('2026-01-01', '2026-03-31')(line),
    'issue',
    false,
  ],
  ['a profile', { profiles: ['profile-1'] }, ({ profileId }) => profileId === 'profile-1', 'expense', false],
  ['two currencies', { currencies: ['EUR', 'KWD'] }, ({ currency }) => /EUR|KWD/.test(currency), 'expense', true],
]

test.each(SCOPES)(
  'NA1, NA8: every figure of a scope is of its lines, and its months add up to them: %s',
  async (_name, part, isKept, monthsOf, isSplit) => {
    const scope = { ...EVERYTHING, ...part }
    const kept = [...lines, ...otherLines].filter(isKept)
    const overview = await getOverview(organizationId, dayOf(0), scope)
    const expected = expectTotals(kept)
    expect(overview.currencies.map((each) => ({ ...each, totalAmount: toPlainValue(each.totalAmount) }))).toEqual(
      expected,
    )
    expect(overview.lineCount).toBe(kept.length)
    expect([overview.monthsOf, overview.isSplit]).toEqual([monthsOf, isSplit])
    const listOf = (more: Partial<LineFilters>) =>
      listLines(organizationId, { ...DEFAULT_LINE_QUERY, ...scope, ...more })
    for (const { currency, totalAmount } of expected) {
      const own = overview.months.filter((each) => each.currency === currency)
      expect([currency, sumExactly(own.map((each) => each.totalAmount))]).toEqual([currency, totalAmount])
    }
    if (monthsOf === 'expense')
      for (const month of new Set(overview.months.map((each) => each.month))) {
        const ofMonth = overview.months.filter((each) => each.month === month && each.currency === 'EUR')
        const [listed] = (await listOf({ months: [month], currencies: ['EUR'] })).totals
        expect([month, toPlainValue(listed?.totalAmount ?? '0')]).toEqual([
          month,
          sumExactly(ofMonth.map((each) => each.totalAmount)),
        ])
      }
    // what needs attention, as the list has it
    for (const outcome of ['unexplained', 'explained'] as const) {
      const found = overview.findings.filter((each) => each.outcome === outcome)
      const { lineCount } = await listOf({ outcomes: [outcome] })
      expect(found.reduce((sum, each) => sum + each.lineCount, 0)).toBe(lineCount)
    }
    const { all } = overview
    expect(all.findings.reduce((sum, each) => sum + each.lineCount, 0)).toBe(
      (await listLines(organizationId, { ...DEFAULT_LINE_QUERY, findingsOnly: true })).lineCount,
    )
  },
)

test('a month of expense stands beside days of issue, and one before it has the rest', async () => {
  const scope = { ...DEFAULT_LINE_QUERY, ...QUARTER, dateField: 'issued' as const }
  const countOf = async (months: string[]) => (await listLines(organizationId, { ...scope, months })).lineCount
  const parts = [await countOf(['before 2026-02']), await countOf(['2026-02']), await countOf(['2026-03'])]
  expect(parts.every((count) => count > 0)).toBe(true)
  expect(parts.reduce((sum, count) => sum + count, 0)).toBe(await countOf([]))
  expect(await countOf(['before 2026-02', '2026-02'])).toBe((parts[0] ?? 0) + (parts[1] ?? 0))
  expect(await countOf(['yesterday'])).toBe(0)
})
