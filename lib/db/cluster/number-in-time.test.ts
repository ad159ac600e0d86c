import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test-support/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each(['id', 'number'])('numbers of a cluster rise in time, whichever node draws the %s', async (column) => {
  const table = `told_by_${column}`
  await database.query(`create table ${table} (${column} bigint generated always as identity, note int)`)
  const drawnAt = async (node: number) => {
    // each node draws from a range of its own
    await database.query(`select setval('${table}_${column}_seq', (${node}::bigint << 48) + 1)`)
    const rows = await database.query<{ number: string }>(
      `insert into ${table} (note) select generate_series(1, 500) returning ${column}::text as number`,
    )
    return rows.map(({ number }) => BigInt(number))
  }
  const drawnBefore = await drawnAt(4000)
  await database.query(
    `create trigger a0_number_in_time before insert on ${table} for each row execute function number_in_time('${column}')`,
  )
  const numbers = [...drawnBefore, ...(await drawnAt(7)), ...(await drawnAt(2)), ...(await drawnAt(30))]
  const inOrder = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1))
  expect(numbers).toEqual(inOrder)
})
