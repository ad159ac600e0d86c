import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { DEFAULT_GROUP_QUERY, type GroupQuery, type GroupSortKey } from '../../query/group-query.ts'
import { listGroups } from '../../read/list-groups.ts'
import { sumCells } from '../../read/matrix/sum-cells.ts'
import { day, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import { makeVariedLines } from '../../test-support/seed-varied-lines.ts'
import { compareFigures, repairFigures } from '../compare-figures.ts'
import { chooseMeasuredSource } from '../month-sums/choose-measured-source.ts'
import { noteMonthSums } from '../month-sums/note-month-sums.ts'

let database: TestDatabase
let organizationId: OrganizationId
let accounts: [ConnectionId, ConnectionId]
/** A trip without a name, one that is named once, and forty that several months have. */
const LINES = makeVariedLines(300).map((line, at) => {
  const trip = [line.tripId, '7', String(20_000 + (at % 40))][at % 3] ?? null
  return { ...line, tripId: trip, tripName: trip === '7' ? null : line.tripName }
})
const OTHERS = makeVariedLines(60, 3)

beforeAll(async () => {
  database = await createTestDatabase('worker')
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  accounts = [await seedConnection(database.query, owner), await seedConnection(database.query, owner, 'Acme Asia')]
  await seedLines(organizationId, accounts[0], LINES)
  await seedLines(organizationId, accounts[1], OTHERS)
})
afterAll(() => database.drop())

const noteAll = async () => {
  let months = 0
  for (const connectionId of accounts) months += await noteMonthSums({ organizationId, connectionId })
  return months
}
const queryOf = (parts: Partial<GroupQuery>): GroupQuery => ({
  ...DEFAULT_GROUP_QUERY,
  by: ['trip'],
  verticals: ['hotel'],
  ...parts,
})
const sourceOf = (query: GroupQuery) =>
  withTenantSnapshot(
    organizationId,
    async (sql) => (await chooseMeasuredSource(sql, organizationId, query, ['trip_id'], 'total')).name,
  )
const list = (query: GroupQuery) => listGroups(organizationId, query)
/** With their places: who writes a row anew moves it. */
const listRows = () =>
  database.query<{ place: string; month: string }>(`select ctid::text as place, * from trip_sum order by 1`)

const SORTS: GroupSortKey[] = ['key', 'lines', 'total', 'findings', 'total_JPY']
const QUESTIONS = [
  {},
  { verticals: [''] },
  { verticals: ['hotel', 'flight', ''] },
  { connections: [] as string[], currencies: ['EUR', 'JPY'] },
  { issueMonths: ['2026-02', '2026-05', ''] },
  { from: day('2026-02-01'), to: day('2026-04-30'), dateField: 'issued' as const },
  { trips: ['', '7', '20001'] },
].flatMap((parts) =>
  SORTS.flatMap((key) =>
    [false, true].flatMap((descending) =>
      [1, 2].map((page) => queryOf({ ...parts, sort: { key, descending }, page, pageSize: 7 })),
    ),
  ),
)

test('every page of trips within verticals is the same from their sums as from lines, in any order', async () => {
  expect(await sourceOf(queryOf({}))).toBe('lines')
  const cells = () =>
    withTenantSnapshot(organizationId, (sql) =>
      sumCells(sql, organizationId, {
        filters: queryOf({ verticals: [] }),
        keys: ['trip', 'vertical'],
        measure: 'total',
        found: null,
      }),
    )
  const [pages, matrix] = [await Promise.all(QUESTIONS.map(list)), await cells()]
  expect(await noteAll()).toBeGreaterThan(12)
  expect(new Set(await Promise.all(QUESTIONS.map(sourceOf)))).toEqual(new Set(['trip by month']))
  const [again, matrixAgain] = [await Promise.all(QUESTIONS.map(list)), await cells()]
  for (const [at, query] of QUESTIONS.entries()) expect(again[at], JSON.stringify(query)).toEqual(pages[at])
  expect(matrixAgain).toEqual(matrix)
})

const OF_ONE = `where id = (select min(id) from line where connection_id = $1 and missing_since is null
  and related_vertical = 'hotel' and trip_id like '20%') and connection_id = $1`
const CHANGES = {
  'a trip that is named otherwise': `update line set trip_name = 'Zuletzt', expense_date = '2026-12-31' ${OF_ONE}`,
  'a name alone': `update line set trip_name = 'Anders' ${OF_ONE}`,
  'a line of another vertical': `update line set related_vertical = 'car' ${OF_ONE}`,
  'a line of another trip': `update line set trip_id = '7', trip_name = null ${OF_ONE}`,
  'an amount': `update line set total_amount = total_amount + 0.01 ${OF_ONE}`,
  'a line that is gone': `update line set missing_since = now() ${OF_ONE}`,
}

test.each(Object.entries(CHANGES))(
  'trips are read from lines until their month is summed again: %s',
  async (_, change) => {
    await noteAll()
    const before = await listRows()
    await database.query(change, [accounts[0]])
    expect(await sourceOf(queryOf({}))).toBe('lines')
    const fromLines = await list(queryOf({ pageSize: 200 }))
    expect(await compareFigures(organizationId, accounts[0])).toEqual([])
    expect(await noteAll()).toBe(1)
    expect(await sourceOf(queryOf({}))).toBe('trip by month')
    expect(await list(queryOf({ pageSize: 200 }))).toEqual(fromLines)
    expect(await compareFigures(organizationId, accounts[0])).toEqual([])
    // of what the month has, only the trips that say something else are written
    const places = new Set(before.map((row) => JSON.stringify(row)))
    expect((await listRows()).filter((row) => !places.has(JSON.stringify(row))).length).toBeLessThanOrEqual(2)
  },
)

test('trips of a month whose lines are all gone are in no answer, and go when the worker comes by', async () => {
  await noteAll()
  const [kept] = await database.query<{ month: string }>(
    `select month::text from trip_sum where connection_id = $1 and month < 'infinity' and related_vertical = 'hotel' limit 1`,
    [accounts[1]],
  )
  const months = async () =>
    (await database.query('select from trip_sum where month = $1 and connection_id = $2', [kept?.month, accounts[1]]))
      .length
  expect(await months()).toBeGreaterThan(0)
  await database.query(
    `update line set missing_since = now() where connection_id = $1 and issuing_date >= $2::date and issuing_date < $2::date + interval '1 month'`,
    [accounts[1], kept?.month],
  )
  const now = await list(queryOf({ pageSize: 200 }))
  expect(now.rows.reduce((count, { lineCount }) => count + lineCount, 0)).toBe(now.lineCount)
  expect(await sourceOf(queryOf({}))).toBe('lines')
  await noteAll()
  expect(await months()).toBe(0)
  expect(await sourceOf(queryOf({}))).toBe('trip by month')
  expect(await list(queryOf({ pageSize: 200 }))).toEqual(now)
})

test.each([
  [
    'wrong',
    `update trip_sum set total_amount = total_amount + 0.01 where organization_id = $2 and ctid = (select min(ctid) from trip_sum where organization_id = $2 and connection_id = $1)`,
  ],
  [
    'there twice',
    `insert into trip_sum select * from trip_sum where organization_id = $2 and ctid = (select min(ctid) from trip_sum where organization_id = $2 and connection_id = $1)`,
  ],
])('a sum of a trip that is %s is found by the doctor, and made anew', async (_, damage) => {
  await noteAll()
  await database.query(damage, [accounts[0], organizationId])
  const found = await compareFigures(organizationId, accounts[0])
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['trip sum']))
  await repairFigures(organizationId, accounts[0], { kind: 'operator', name: 'doctor' }, found)
  await noteAll()
  expect(await compareFigures(organizationId, accounts[0])).toEqual([])
})

test('sums of trips go with the account that they are of', async () => {
  await noteAll()
  await database.query('delete from connection where id = $1', [accounts[1]])
  expect(await database.query('select from trip_sum where connection_id = $1', [accounts[1]])).toEqual([])
})
