import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from './pool.ts'
import { type RawRows, readRawRows } from './raw-rows.ts'
import { type Sql, withSystemSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The rows of one column, by the protocol's own words. */
function readTexts(rows: RawRows): (string | null)[] {
  const texts: (string | null)[] = []
  for (let at = 0; at < rows.length; ) {
    expect(rows.toString('latin1', at, at + 1)).toBe('D')
    expect(rows.readInt16BE(at + 5)).toBe(1)
    const length = rows.readInt32BE(at + 7)
    texts.push(length === -1 ? null : rows.toString('utf8', at + 11, at + 11 + length))
    at += 1 + rows.readInt32BE(at + 1)
  }
  return texts
}

/** Opens a cursor of this query, and reads it past the driver. */
function withRaw<T>(query: string, work: (read: (count: number) => Promise<RawRows>, sql: Sql) => Promise<T>) {
  return withSystemSql(async (sql) => {
    const raw = readRawRows(sql.client)
    try {
      await sql(`declare wanted no scroll cursor for ${query}`)
      return await work((count) => raw.read('wanted', count), sql)
    } finally {
      raw.end()
    }
  })
}

test('reads every row once and in order, as many at a time as asked for, and none at the end', async () => {
  const query = `select case when n % 7 > 0 then repeat('é', n % 40) || n end from generate_series(1, 1000) n`
  const expected = Array.from({ length: 1000 }, (_, at) =>
    (at + 1) % 7 > 0 ? 'é'.repeat((at + 1) % 40) + (at + 1) : null,
  )
  await withRaw(query, async (read) => {
    const batches: (string | null)[][] = []
    for (let rows = await read(300); rows.length > 0; rows = await read(300)) batches.push(readTexts(rows))
    expect(batches.map(({ length }) => length)).toEqual([300, 300, 300, 100])
    expect(batches.flat()).toEqual(expected)
    expect(await read(300)).toHaveLength(0)
  })
})

test('reads rows that are larger than what arrives at once', async () => {
  await withRaw(`select repeat(n::text, 3000000) from generate_series(1, 9) n`, async (read) => {
    const texts = readTexts(await read(2))
    expect(texts.map((text) => text?.length)).toEqual([3_000_000, 3_000_000])
    expect(texts.every((text, at) => text === String(at + 1).repeat(3_000_000))).toBe(true)
    expect(readTexts(await read(20)).map((text) => text?.at(-1))).toEqual(['3', '4', '5', '6', '7', '8', '9'])
  })
})

test('leaves all other messages to the driver: results, notices and errors between the rows', async () => {
  await database.query(
    `create function tell(n int) returns text language plpgsql as $$ begin raise notice 'at %', n; return n; end $$`,
  )
  const notices: string[] = []
  await withRaw('select tell(n) from generate_series(1, 50) n', async (read, sql) => {
    const note = ({ message }: { message?: string }) => void notices.push(message ?? '')
    sql.client.on('notice', note)
    expect(readTexts(await read(20))).toHaveLength(20)
    expect(await sql<{ two: number }>('select 1 + $1::int as two', [1])).toEqual([{ two: 2 }])
    expect(readTexts(await read(50))).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 21)))
    sql.client.off('notice', note)
  })
  expect(notices).toEqual(Array.from({ length: 50 }, (_, at) => `at ${at + 1}`))
  const failing = withRaw('select (100 / (600 - n))::text from generate_series(1, 1000) n', (read) => read(1000))
  await expect(failing).rejects.toThrow('division by zero')
})

test('a connection whose rows were read, or left in the middle, serves the driver as before', async () => {
  const left: Promise<unknown>[] = []
  for (const leave of [true, false])
    await withRaw(`select repeat('x', 10000) from generate_series(1, 1000) n`, async (read) => {
      const reading = read(1000)
      if (leave) left.push(expect(reading).rejects.toThrow('left before'))
      else expect(readTexts(await reading)).toHaveLength(1000)
    })
  await Promise.all(left)
  const client = await pool().connect()
  const { rows } = await client.query('select n from generate_series(1, 3) n')
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } }).connection
  client.release()
  expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(stream.listenerCount('data')).toBe(1)
})

test('a connection that is lost during a read ends it with an error', async () => {
  const lost = withRaw(`select pg_sleep(0.01)::text from generate_series(1, 100000) n`, async (read, sql) => {
    const [backend] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
    const end = () => database.query('select pg_terminate_backend($1)', [backend?.pid])
    // the read may fail before the answer to the other is here
    const [rows] = await Promise.all([read(100_000), end()])
    return rows
  })
  await expect(lost).rejects.toThrow()
})
