import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { OPEN_STATUSES, RUN_STATUSES, SQL_OPEN, SQL_OVER } from './run-status.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function statusesIn(text: string): Promise<string[]> {
  const [row] = await database.query<{ definition: string }>(text)
  return [...(row?.definition ?? '').matchAll(/'([a-z]+)'/g)].map(([, status]) => status as string).sort()
}

test('the database allows exactly these statuses, and one open run per connection', async () => {
  expect(
    await statusesIn(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'sync_run_status_check'`,
    ),
  ).toEqual([...RUN_STATUSES].sort())
  expect(
    await statusesIn(`select indexdef as definition from pg_indexes where indexname = 'sync_run_one_at_a_time'`),
  ).toEqual([...OPEN_STATUSES].sort())
})

test('a run is either open or over, and one whose data was deleted cannot continue', async () => {
  const [split] = await database.query(
    `select array_agg(status) filter (where (status in ${SQL_OPEN}) = (status in ${SQL_OVER})) as neither
     from unnest($1::text[]) as status`,
    [RUN_STATUSES],
  )
  expect(split).toEqual({ neither: null })
  const allowed = await statusesIn(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'sync_run_of_erased_data'`,
  )
  expect(allowed.length).toBeGreaterThan(0)
  expect(allowed.filter((status) => OPEN_STATUSES.some((open) => open === status))).toEqual([])
})
