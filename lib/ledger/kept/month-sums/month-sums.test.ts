import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { MEASURES, type Measure } from '#lib/reconcile/matrix/measures.ts'
import { toKeyedRows } from '../../conditions/group-key-columns.ts'
import { DEFAULT_GROUP_QUERY, type GroupQuery } from '../../query/group-query.ts'
import { readGroups } from '../../read/list-groups.ts'
import { createSqlParameters } from '../../sql/sql-parameters.ts'
import { day, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import { makeVariedLines } from '../../test-support/seed-varied-lines.ts'
import { compareFigures } from '../compare-figures.ts'
import { chooseMeasuredSource } from './choose-measured-source.ts'
import { noteMonthSums } from './note-month-sums.ts'

let database: TestDatabase
let organizationId: OrganizationId
let accounts: [ConnectionId, ConnectionId]
/** Two names that one line has, one twice, and none. */
const LINES = makeVariedLines(240).map((line, at) => ({
  ...line,
  vendorName: [null, 'Hôtel du Nord', 'Sky'][at % 3] ?? null,
  travelerNames: [[], ['Ada'], ['Ada', 'Bo'], ['Bo', 'Bo', '']][at % 4] ?? [],
  labels: [[], ['fair'], ['fair', 'q3']][at % 3] ?? [],
  outOfPolicy: [null, true, false][at % 3] ?? null,
}))
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
const listMonths = async (connectionId: ConnectionId) =>
  (
    await database.query<{ month: string }>(
      `select month::text from month_sum where grain = 'month' and connection_id = $1 order by 1`,
      [connectionId],
    )
  ).map(({ month }) => month)
const queryOf = (parts: Partial<GroupQuery>): GroupQuery => ({ ...DEFAULT_GROUP_QUERY, pageSize: 200, ...parts })
const sourceOf = (query: GroupQuery, measure: Measure) =>
  withTenantSnapshot(organizationId, async (sql) => {
    const { columns } = toKeyedRows(query.by[0] as GroupKey, query, createSqlParameters(), () => 'null')
    return (await chooseMeasuredSource(sql, organizationId, query, columns, measure)).name
  })

test('groups by any key of any measure are the same from sums of months as from lines', async () => {
  const asked = GROUP_KEYS.flatMap((key) =>
    MEASURES.flatMap((measure) =>
      [
        queryOf({ by: [key] }),
        queryOf({ by: [key], verticals: ['hotel', ''], connections: [accounts[0]] }),
        queryOf({ by: [key], issueMonths: ['2026-02', '2026-05', ''] }),
        queryOf({ by: [key], from: day('2026-01-04'), to: day('2026-02-19') }),
        queryOf({ by: [key], from: day('2026-02-01'), to: day('2026-04-30'), dateField: 'issued' }),
      ].map((query) => ({ query, measure })),
    ),
  )
  const answer = () =>
    Promise.all(
      asked.map(({ query, measure }) =>
        withTenantSnapshot(organizationId, (sql) => readGroups(sql, organizationId, query, measure)),
      ),
    )
  const sources = () => Promise.all(asked.map(({ query, measure }) => sourceOf(query, measure)))
  expect((await sources()).filter((name) => name.includes('by month'))).toEqual([])
  const fromLines = await answer()
  expect(await noteAll()).toBeGreaterThan(12)
  const used = (await sources()).filter((name) => name.includes('by month'))
  expect(new Set(used.map((name) => name.split(' ')[0]))).toEqual(
    new Set([
      'policy',
      'country',
      'custom_field',
      'label',
      'tax',
      'profile',
      'booker',
      'traveler',
      'vendor',
      'cost_center',
      'trip',
    ]),
  )
  const fromSums = await answer()
  for (const [at, { query, measure }] of asked.entries())
    expect(fromSums[at], `${measure} ${JSON.stringify(query)}`).toEqual(fromLines[at])
})

const CHANGES: [string, string][] = [
  ['a vendor that is named otherwise', `update line set vendor_name = 'Sol' where id = $1 and connection_id = $2`],
  ['a label more', `update line set labels = labels || '{new}' where id = $1 and connection_id = $2`],
  ['a custom field', `update line set custom_fields = '{"Project: P-2"}' where id = $1 and connection_id = $2`],
  ['a traveler less', `update line set traveler_names = '{}' where id = $1 and connection_id = $2`],
  ['a unit price', `update line set unit_price = unit_price + 1 where id = $1 and connection_id = $2`],
  ['an amount', `update line set total_amount = total_amount + 0.01 where id = $1 and connection_id = $2`],
  [
    'a finding that is explained',
    `update line set finding_codes = '{total}', difference = 1, explained_codes = '{total}' where id = $1 and connection_id = $2`,
  ],
  ['another cost center', `update line set cost_center = 'moved' where id = $1 and connection_id = $2`],
  ['a line that is gone', 'update line set missing_since = now() where id = $1 and connection_id = $2'],
  ['a line that is deleted', 'delete from line where id = $1 and connection_id = $2'],
]

test.each(CHANGES)('a month of which a line changes has no sums until it is summed again: %s', async (_, change) => {
  await noteAll()
  const [line] = await database.query<{ id: string; month: string }>(
    `select id, coalesce(date_trunc('month', issuing_date)::date, 'infinity')::text as month from line
     where connection_id = $1 and missing_since is null and cost_center is distinct from 'moved'
       and vendor_name is not null and cardinality(traveler_names) > 0 order by id limit 1`,
    [accounts[0]],
  )
  const before = await listMonths(accounts[0])
  await database.query(change, [line?.id, accounts[0]])
  expect(await listMonths(accounts[0])).toEqual(before.filter((month) => month !== line?.month))
  expect(await sourceOf(queryOf({ by: ['vendor'] }), 'total')).toBe('lines')
  expect(await compareFigures(organizationId, accounts[0])).toEqual([])
  expect(await noteAll()).toBe(1)
  expect(await compareFigures(organizationId, accounts[0])).toEqual([])
  expect(await sourceOf(queryOf({ by: ['vendor'] }), 'total')).toBe('vendor by month')
})

test('a line that moves to another month takes the sums of both back', async () => {
  await noteAll()
  const before = await listMonths(accounts[0])
  const [line] = await database.query<{ id: string; month: string }>(
    `update line set issuing_date = '2026-11-03' where id = (
       select id from line where connection_id = $1 and issuing_date = '2026-03-01' and missing_since is null limit 1)
       and connection_id = $1 returning id`,
    [accounts[0]],
  )
  expect(line).toBeDefined()
  expect(await listMonths(accounts[0])).toEqual(
    before.filter((month) => month !== '2026-03-01' && month !== '2026-11-01'),
  )
})

test('what no sum is of leaves them as they are, as does a sync that brings nothing new', async () => {
  await noteAll()
  const before = await database.query('select xmin::text, ctid::text from month_sum order by 2')
  await database.query(
    `update line set search_text = search_text || ' x', description = 'another' where connection_id = $1`,
    [accounts[0]],
  )
  await seedLines(organizationId, accounts[1], OTHERS)
  expect(await database.query('select xmin::text, ctid::text from month_sum order by 2')).toEqual(before)
})

test('an account that is being written is left alone, and summed when that has ended', async () => {
  const [connectionId] = accounts
  const rename = `update line set vendor_name = $1 where connection_id = $2 and issuing_date = '2026-02-01'`
  await noteAll()
  await database.query(rename, ['Luna', connectionId])
  await withTenantSql(organizationId, async (sql) => {
    // takes no sums back, since there are none: summed now, the month would keep the name of before
    await sql(rename, ['Sol', connectionId])
    expect(await noteMonthSums({ organizationId, connectionId })).toBe(0)
  })
  expect(await noteMonthSums({ organizationId, connectionId })).toBe(1)
  expect(await compareFigures(organizationId, connectionId)).toEqual([])
})

test('a wrong sum is found by the doctor', async () => {
  await noteAll()
  await database.query(
    `update month_sum set tax_amount = tax_amount + 0.01 where grain = 'policy' and connection_id = $1`,
    [accounts[0]],
  )
  expect(new Set((await compareFigures(organizationId, accounts[0])).map(({ name }) => name))).toEqual(
    new Set(['month sum']),
  )
})
