import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { LineTotal } from '../model.ts'
import { DEFAULT_LINE_QUERY, type LineFilters, type LineQuery } from '../query/line-query.ts'
import { SUMMARY_QUERY } from '../query/summary-query.ts'
import { day, makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { createRandom, makeVariedLines } from '../test-support/seed-varied-lines.ts'
import { listLines, listLinesAhead } from './list-lines.ts'
import { summarizeLines } from './summarize-lines.ts'

/** More than are looked through at once. */
const LINES = 10_050

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let small: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  const lines = makeVariedLines(LINES)
  for (let from = 0; from < LINES; from += 2000)
    await seedLines(organizationId, connectionId, lines.slice(from, from + 2000))
  const other = await seedOrganization(database.query, 'Stranger')
  small = other.organizationId
  await seedLines(small, await seedConnection(database.query, other), [
    ...makeVariedLines(500, 8),
    ...Array.from({ length: 60 }, (_, at) => makeLineOf('1.00', { id: `theirs-${at}`, description: 'Item of theirs' })),
  ])
  await database.query('analyze line, line_rollup')
}, 120_000)
afterAll(() => database.drop())

const ask = (change: Partial<LineQuery>, organization = organizationId) =>
  listLinesAhead(organization, { ...DEFAULT_LINE_QUERY, ...change })
const askWhole = (change: Partial<LineQuery>, organization = organizationId) =>
  listLines(organization, { ...DEFAULT_LINE_QUERY, ...change })

/** The totals as the browser asks for them. */
async function sumLater(filters: Partial<LineFilters>, organization = organizationId): Promise<LineTotal[]> {
  const { rows } = await summarizeLines(organization, { ...SUMMARY_QUERY.empty, ...filters, by: ['currency'] })
  return rows.map(({ values, ...total }) => total)
}

test.each([
  {},
  { sort: { key: 'expense_date', descending: false } },
  { verticals: ['flight', ''] },
  { pageSize: 200 },
] as Partial<LineQuery>[])(
  'the first lines of a search that finds many come ahead of their totals: %o',
  async (change) => {
    const ahead = await ask({ text: 'item', ...change })
    const whole = await askWhole({ text: 'item', ...change })
    expect(ahead).toEqual({
      rows: whole.rows,
      place: 0,
      allLineCount: LINES,
      lineCount: null,
      totals: null,
    })
    expect(whole.lineCount).toBeGreaterThan(ahead.rows.length)
  },
)

test('every other page has its totals at once', async () => {
  const [first] = (await askWhole({ text: 'item' })).rows
  const row = { connectionId, id: first?.id as string }
  for (const change of [
    {},
    { verticals: ['flight'] },
    { text: 'item', page: 2 },
    { text: 'item', beside: { side: 'after', row } },
    { text: 'item', beside: { side: 'before', row: null } },
    { text: 'item', sort: { key: 'trip', descending: false } },
    { text: 'item', goneOnly: true },
    { text: '"item 42 5"', trips: ['10001'] },
    { text: 'found nowhere' },
  ] as Partial<LineQuery>[])
    expect(await ask(change)).toEqual(await askWhole(change))
})

test('a page that is full and has all that the search finds says how much that is', async () => {
  const days = { from: day('2026-02-03'), to: day('2026-02-03') }
  const { lineCount } = await askWhole({ text: 'item', ...days })
  expect(lineCount).toBeGreaterThan(10)
  const asked = (pageSize: number) => ask({ text: 'item', ...days, pageSize })
  expect(await asked(lineCount)).toMatchObject({ lineCount })
  expect(await asked(lineCount - 1)).toMatchObject({ lineCount: null })
})

test('a search in few lines has its totals at once', async () => {
  expect(await ask({ text: 'item' }, small)).toMatchObject({ lineCount: 560, allLineCount: 560 })
})

test('the totals that come later are those of the answer that has all, for any filters', async () => {
  const random = createRandom(22)
  const some = <Value>(value: Value): Value | [] => (random(3) === 0 ? value : [])
  let late = 0
  for (let round = 0; round < 40; round++) {
    const filters: Partial<LineFilters> = {
      text: ['item', 'item 4', 'trip', 'vendor', 'ana s', '50%_off'][random(6)] as string,
      currencies: some(['EUR', 'JPY']),
      verticals: some(['hotel', '']),
      costCenters: some(['4100']),
      trips: some(['10001', '10002']),
      statuses: some(['paid']),
      findingsOnly: random(8) === 0,
      from: random(3) === 0 ? day(`2026-0${1 + random(3)}-1${random(9)}`) : null,
      dateField: random(2) === 0 ? 'expense' : 'issued',
    }
    const [ahead, whole] = [await ask(filters), await askWhole(filters)]
    if (ahead.totals === null) late++
    expect(await sumLater(filters)).toEqual(whole.totals)
    expect(ahead.rows).toEqual(whole.rows)
  }
  expect(late).toBeGreaterThan(10)
})

test('A8: lines of another organization are in no page and no total, whenever it comes', async () => {
  const ahead = await ask({ text: 'item' })
  expect(ahead.rows.filter(({ id }) => id.startsWith('theirs'))).toEqual([])
  expect((await sumLater({ text: 'item' })).reduce((sum, total) => sum + total.lineCount, 0)).toBe(LINES)
  expect(await sumLater({ text: 'item of theirs' })).toEqual([])
  expect(await ask({ text: 'item of theirs' })).toMatchObject({ rows: [], lineCount: 0, allLineCount: LINES })
  expect(await sumLater({ text: 'item of theirs' }, small)).toMatchObject([{ currency: 'EUR', lineCount: 60 }])
})
