import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { openTenantCursor } from '#lib/ledger/sql/tenant-cursor.ts'
import { type CsvColumn, createCsvWriter } from './csv.ts'
import { type PACE_LIMITS, toCsvStream } from './csv-stream.ts'
import { readAll } from './test-support/test-parse-csv.ts'

type Row = { number: string }
const COLUMNS: CsvColumn<Row>[] = [{ name: 'number', kind: 'count', field: 'number' }]
const ROWS = 1000
const WHOLE = `number\r\n${Array.from({ length: ROWS }, (_, n) => `${n + 1}\r\n`).join('')}`

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A file of a thousand numbers, ten per pull. */
async function openStream(limits?: typeof PACE_LIMITS) {
  const cursor = await openTenantCursor<Row>(
    '00000000-0000-4000-8000-000000000001',
    { userId: 'somebody', signal: new AbortController().signal },
    { text: `select n::text as number from generate_series(1, ${ROWS}) n`, values: [] },
    10,
  )
  return toCsvStream(cursor, createCsvWriter(COLUMNS), { limits })
}

const openTransactions = () =>
  database.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
const expectNothingOpen = () => vi.waitFor(async () => expect(await openTransactions()).toEqual([]), 5_000)

test('A18: gives up a file that nobody takes, and tells a late reader', async () => {
  const stream = await openStream({ bytesPerSecond: 1, savedMs: 50 })
  await expectNothingOpen()
  await expect(readAll(stream)).rejects.toMatchObject({ code: 'export-too-slow' })
})

test('A18: a reader that takes a little now and then loses the file', async () => {
  const stream = await openStream({ bytesPerSecond: 1_000_000, savedMs: 300 })
  const trickle = async () => {
    for await (const _ of stream) await delay(20)
  }
  await expect(trickle()).rejects.toMatchObject({ code: 'export-too-slow' })
  await expectNothingOpen()
})

test('a slow but steady reader gets the whole file', async () => {
  const stream = await openStream({ bytesPerSecond: 1, savedMs: 2_000 })
  let text = ''
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString()
    await delay(30)
  }
  expect(text).toBe(WHOLE)
})

test('a stream learns at once that the database ended its session, even unread', async () => {
  const stream = await openStream()
  const reader = stream.getReader()
  await reader.read()
  for (const { pid } of await openTransactions()) await database.query('select pg_terminate_backend($1)', [pid])
  await expect(reader.closed).rejects.toThrow()
  await expectNothingOpen()
})
