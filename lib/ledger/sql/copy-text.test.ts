import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { stageRecords } from './stage-records.ts'
import { createRowWriter } from './staged-rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Row = { n: number; text: string | null; flag: boolean | null; list: string[] }
const STAGE = {
  table: 'staged_for_a_test',
  columns: [
    { name: 'n', type: 'integer', value: (row: Row) => row.n },
    { name: 'text', type: 'text', value: (row: Row) => row.text },
    { name: 'flag', type: 'boolean', value: (row: Row) => row.flag },
    { name: 'list', type: 'text[]', value: (row: Row) => row.list },
  ],
}

/** Stores the rows and reads them back, in one transaction. */
const throughTheStage = (rows: Row[]) =>
  withTenantSql(crypto.randomUUID(), async (sql) => {
    const writer = createRowWriter(STAGE)
    for (const row of rows) writer.add(row)
    await stageRecords(sql, STAGE, [writer.end().bytes])
    return sql(`select n, text, flag, list from pg_temp.${STAGE.table} order by n`)
  })

const ODD = [
  '\\',
  '\\N',
  '\\.',
  '\t',
  '\n',
  '\r',
  '"',
  '{',
  '}',
  ',',
  'NULL',
  'null',
  ' ',
  '',
  '\u{1F389}',
  'é',
  '\u0001',
  '\u0085',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme' })), { maxLength: 6 })
  .map((parts) =>
    // PostgreSQL's text holds everything but NUL
    parts.join('').replaceAll('\0', ''),
  )

test('every text, flag and list comes back from the stage unchanged', async () => {
  const row = fc.record({
    text: fc.option(text),
    flag: fc.option(fc.boolean()),
    list: fc.array(text, { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (drawn) => {
      const rows = drawn.map((each, n) => ({ n, ...each }))
      expect(await throughTheStage(rows)).toEqual(rows)
    }),
    { numRuns: 200 },
  )
})

test('a text longer than a chunk arrives whole, with everything around it', async () => {
  const long = 'é\\\t\u{1F389}'.repeat(200_000)
  const rows = ['before', long, 'after'].map((each, n) => ({ n, text: each, flag: true, list: [] }))
  expect(await throughTheStage(rows)).toEqual(rows)
})

test('the bytes of staged rows are let go once they are sent', async () => {
  const writer = createRowWriter(STAGE)
  writer.add({ n: 1, text: 'a', flag: true, list: [] })
  const staged = [writer.end().bytes]
  await withTenantSql(crypto.randomUUID(), (sql) => stageRecords(sql, STAGE, staged))
  expect(staged).toEqual([])
})

const BINARY_STAGE = {
  table: 'staged_texts_for_a_test',
  columns: [
    { name: 'id', type: 'text', value: ([id]: string[]) => id },
    { name: 'raw', type: 'text', value: ([, raw]: string[]) => raw },
  ],
  isBinary: true as const,
}
const throughTheBinaryStage = (rows: string[][]) =>
  withTenantSql(crypto.randomUUID(), async (sql) => {
    const writer = createRowWriter(BINARY_STAGE)
    for (const row of rows) writer.add(row)
    await stageRecords(sql, BINARY_STAGE, [writer.end().bytes])
    const stored = await sql<{ id: string; raw: string }>(`select id, raw from pg_temp.${BINARY_STAGE.table}`)
    return stored.map(({ id, raw }) => [id, raw])
  })

test('every text comes back unchanged from a stage that is filled in binary form', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 20 }), async (rows) => {
      expect(await throughTheBinaryStage(rows)).toEqual(rows)
    }),
    { numRuns: 100 },
  )
  const long = 'é\\\t\u{1F389}'.repeat(200_000)
  expect(
    await throughTheBinaryStage([
      ['before', 'x'],
      ['é', long],
      ['after', ''],
    ]),
  ).toHaveLength(3)
  expect((await throughTheBinaryStage([['é', long]]))[0]?.[1]).toBe(long)
})

test('refilling a stage in a transaction replaces its rows, and the next transaction starts empty', async () => {
  const fill = async (sql: Parameters<Parameters<typeof withTenantSql>[1]>[0], n: number) => {
    const writer = createRowWriter(STAGE)
    writer.add({ n, text: null, flag: null, list: [] })
    await stageRecords(sql, STAGE, [writer.end().bytes])
  }
  const read = await withTenantSql(crypto.randomUUID(), async (sql) => {
    await fill(sql, 1)
    await fill(sql, 2)
    return sql(`select n from pg_temp.${STAGE.table}`)
  })
  expect(read).toEqual([{ n: 2 }])
  await expect(
    withTenantSql(crypto.randomUUID(), async (sql) => {
      await fill(sql, 3)
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await throughTheStage([{ n: 4, text: 'x', flag: null, list: [] }])).toHaveLength(1)
})
