import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { GROUP_KEYS, type GroupKey, SHARED_KEYS } from '#lib/reconcile/group-keys.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import type { GroupRow } from '../model.ts'
import {
  DEFAULT_GROUP_QUERY,
  FILTER_OF,
  GROUP_SORT_KEYS,
  type GroupQuery,
  parseGroupQuery,
  toChildGroupQuery,
  toGroupLineQuery,
} from '../query/group-query.ts'
import { isShared, listValues } from '../test-support/group-values.ts'
import { day, decimal, makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { countStates, expectTotals, makeVariedLines, toPlainValue } from '../test-support/seed-varied-lines.ts'
import { listGroups } from './list-groups.ts'
import { listLines } from './list-lines.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
const lines = [
  ...makeVariedLines(400),
  // its price holds the tax: both checks fail
  makeLineOf('119.00', { unitPrice: decimal('119.00'), taxAmount: decimal('19.00'), tripId: null }),
]

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedLines(organizationId, connectionId, lines)
  const other = await seedOrganization(database.query, 'Stranger')
  const theirs = await seedConnection(database.query, other)
  await seedLines(other.organizationId, theirs, [makeLineOf('1.00', { tripId: 'their-trip' })])
})
afterAll(() => database.drop())

const list = (change: Partial<GroupQuery>) =>
  listGroups(organizationId, { ...DEFAULT_GROUP_QUERY, pageSize: 200, ...change })

const valuesOf = (key: GroupKey, line: ProvedLine) => listValues(key, { line, connectionId })
const isOf = (row: GroupRow) => (line: ProvedLine) =>
  row.values.every(({ key, value }) => valuesOf(key, line).includes(value))
const toFigures = (row: GroupRow) =>
  row.totals.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) }))
const expectFigures = (part: ProvedLine[]) =>
  expectTotals(part).map(({ currency, totalAmount, lineCount }) => ({ currency, totalAmount, lineCount }))

describe('groups', () => {
  test.each(GROUP_KEYS)('by %s: every line is in its groups, each with the exact total per currency', async (key) => {
    const groups = await list({ by: [key] })
    expect(groups.groupCount).toBe(new Set(lines.flatMap((line) => valuesOf(key, line))).size)
    expect(groups.rows).toHaveLength(groups.groupCount)
    for (const row of groups.rows) {
      const own = lines.filter(isOf(row))
      expect(toFigures(row)).toEqual(expectFigures(own))
      expect(row.lineCount).toBe(own.length)
      expect(row.findingCount).toBe(own.reduce((count, line) => count + line.proof.findings.length, 0))
      expect(row.lineStates).toEqual(countStates(own))
    }
    expect(groups.totals.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) }))).toEqual(
      expectTotals(lines),
    )
  })

  // each key once in every place
  const nested = GROUP_KEYS.map((_, at) =>
    [0, 5, 11].map((by) => GROUP_KEYS[(at + by) % GROUP_KEYS.length] as GroupKey),
  )
  test.each(nested)(
    'nested by %s, %s, %s: the groups inside a group add up to it, down to its lines',
    async (...by) => {
      const query: GroupQuery = { ...DEFAULT_GROUP_QUERY, pageSize: 200, by, currencies: ['EUR', 'JPY'] }
      const outer = await listGroups(organizationId, query)
      for (const row of outer.rows.slice(0, 3).concat(outer.rows.slice(-1))) {
        const value = row.values[0]?.value ?? null
        const childQuery = toChildGroupQuery(query, value) as GroupQuery
        const children = await listGroups(organizationId, childQuery)
        expect(children.lineCount).toBe(row.lineCount)
        const counted = children.rows.reduce((count, child) => count + child.lineCount, 0)
        if (isShared(by[1] as GroupKey)) expect(counted).toBeGreaterThanOrEqual(row.lineCount)
        else expect(counted).toBe(row.lineCount)
        expect(
          children.totals.map(({ currency, totalAmount, lineCount }) => ({ currency, totalAmount, lineCount })),
        ).toEqual(row.totals)
        const inside = await listLines(
          organizationId,
          toGroupLineQuery(childQuery, children.rows[0]?.values[0]?.value ?? null),
        )
        expect(inside.lineCount).toBe(children.rows[0]?.lineCount)
      }
    },
  )

  test.each(SHARED_KEYS)('by %s: a line with two values is in both groups, and once in the total', async (key) => {
    const twice = lines.filter((line) => valuesOf(key, line).length === 2)
    expect(twice.length).toBeGreaterThan(0)
    const groups = await list({ by: [key] })
    const counted = groups.rows.reduce((count, row) => count + row.lineCount, 0)
    expect(counted).toBe(lines.length + twice.length)
    expect(groups.lineCount).toBe(lines.length)
    const [first, second] = valuesOf(key, twice[0] as ProvedLine)
    const among = await list({ by: [key], [FILTER_OF[key]]: [first] })
    // the lines of a group that its filter does not find would be lost on the way to them
    expect(among.rows.map((row) => row.values[0]?.value)).toEqual([first])
    expect(second).not.toBe(first)
  })

  test('labels a trip with its latest name', async () => {
    const trip = (tripName: string | null, date: string) =>
      makeLineOf('1.00', { tripId: 'renamed', tripName, expenseDate: day(date) })
    await seedLines(organizationId, connectionId, [
      trip('Zurich', '2026-01-01'),
      trip('Basel', '2026-02-01'),
      trip(null, '2026-03-01'),
    ])
    const groups = await list({ trips: ['renamed'] })
    expect(groups.rows[0]?.values).toEqual([{ key: 'trip', value: 'renamed', label: 'Basel' }])
    await database.query(`delete from line where organization_id = $1 and trip_id = 'renamed'`, [organizationId])
  })

  test.each(
    GROUP_SORT_KEYS.flatMap((key) => [
      { key, descending: false },
      { key, descending: true },
    ]),
  )('pages by $key (descending: $descending) are complete and never overlap', async (sort) => {
    const trips = Array.from({ length: 60 }, (_, index) =>
      makeLineOf('1.00', { tripId: `many-${index}`, tripName: null }),
    )
    await seedLines(organizationId, connectionId, trips)
    const values: (string | null)[] = []
    for (let page = 1; page <= 3; page++) {
      const groups = await list({ sort, page, pageSize: 25 })
      values.push(...groups.rows.map((row) => row.values[0]?.value ?? null))
      expect(groups.pageCount).toBe(Math.ceil(groups.groupCount / 25))
    }
    expect(values).toHaveLength(69)
    expect(new Set(values).size).toBe(69)
    await database.query(`delete from line where organization_id = $1 and trip_id like 'many-%'`, [organizationId])
  })

  test('sorting by total uses the currency most lines have; groups without it come last', async () => {
    const currencies = expectTotals(lines).toSorted(
      (a, b) => b.lineCount - a.lineCount || (a.currency < b.currency ? -1 : 1),
    )
    const leading = currencies[0]?.currency
    const groups = await list({ sort: { key: 'total', descending: true } })
    const totals = groups.rows.map((row) => row.totals.find(({ currency }) => currency === leading)?.totalAmount)
    const known = totals.filter((total) => total !== undefined).map(Number)
    expect(known).toEqual(known.toSorted((a, b) => b - a))
    expect(totals.slice(known.length).every((total) => total === undefined)).toBe(true)
  })

  test('sorting by a currency orders by its totals, and groups without it come last', async () => {
    const groups = await list({ by: ['invoice'], sort: { key: 'total_JPY', descending: true } })
    const totals = groups.rows.map((row) => row.totals.find(({ currency }) => currency === 'JPY')?.totalAmount)
    const known = totals.filter((total) => total !== undefined).map(Number)
    expect(known.length).toBeGreaterThan(3)
    expect(known).toEqual(known.toSorted((a, b) => b - a))
    expect(totals.slice(known.length).every((total) => total === undefined)).toBe(true)
  })

  test('filters that match nothing give no group and no total', async () => {
    expect(await list({ trips: ['none'] })).toMatchObject({
      rows: [],
      groupCount: 0,
      lineCount: 0,
      totals: [],
      pageCount: 1,
      allLineCount: lines.length,
    })
  })

  test('A8: does not show groups of another organization', async () => {
    expect(await list({ trips: ['their-trip'] })).toMatchObject({ rows: [], groupCount: 0 })
    expect((await list({})).lineCount).toBe(lines.length)
  })

  test('A14: hostile group keys group by trip', async () => {
    for (const by of ['l.raw', 'trip; drop table line', '1', '__proto__']) {
      const groups = await listGroups(organizationId, parseGroupQuery({ by }))
      expect(groups.rows[0]?.values[0]?.key).toBe('trip')
    }
  })
})
