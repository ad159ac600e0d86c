import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { register } from '../../instrumentation.ts'
import { pool } from './pool.ts'
import { limitStatements, withStatementLimit, withSystem, withSystemSql, withTenant, withTenantSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

const ORGANIZATION = '00000000-0000-4000-8000-000000000001'
const SLEEP = 'select pg_sleep(60)::text'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => limitStatements(null))
afterAll(() => database.drop())

const limitOf = async () =>
  (
    await withTenantSql(ORGANIZATION, (sql) =>
      sql<{ limit: string }>(`select current_setting('statement_timeout') as limit`),
    )
  )[0]?.limit

test.each([
  ['SQL of an organization', () => withTenantSql(ORGANIZATION, (sql) => sql(SLEEP))],
  ['SQL of the system', () => withSystemSql((sql) => sql(SLEEP))],
])('A18: a statement that takes too long is stopped, and the error says so: %s', async (_, run) => {
  limitStatements(200)
  await expect(run()).rejects.toMatchObject({
    code: 'database-slow',
    userText: expect.stringContaining('took too long'),
    message: expect.stringContaining('statement timeout'),
  })
  limitStatements(null)
  expect(await withTenantSql(ORGANIZATION, (sql) => sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test('A18: waiting for a lock counts', async () => {
  await database.query('begin')
  await database.query('lock table app_user in access exclusive mode')
  limitStatements(200)
  await expect(withTenantSql(ORGANIZATION, (sql) => sql('select from app_user'))).rejects.toMatchObject({
    code: 'database-slow',
  })
  const slow = { code: 'database-slow', message: expect.stringContaining('statement timeout') }
  await expect(withTenant(ORGANIZATION, (records) => records.user.count())).rejects.toMatchObject(slow)
  await expect(withSystem((records) => records.user.count())).rejects.toMatchObject(slow)
  await database.query('rollback')
})

test('A18: the web server’s statements get 15 seconds each; other processes keep the database’s limit', async () => {
  expect(await limitOf()).toBe('0')
  register()
  expect(await limitOf()).toBe('15s')
  limitStatements(null)
  await database.query(
    `do $$ begin execute format('alter database %I set statement_timeout = 77000', current_database()); end $$`,
  )
  const connections = await Promise.all(Array.from({ length: 10 }, () => pool().connect()))
  for (const connection of connections) connection.release(true)
  expect(await limitOf()).toBe('77s')
})

test('the limit ends with the transaction: a pooled connection does not keep it', async () => {
  limitStatements(200)
  await limitOf()
  for (let n = 0; n < 12; n++)
    expect((await pool().query(`select current_setting('statement_timeout') as limit`)).rows).not.toEqual([
      { limit: '200ms' },
    ])
})

test('A18: one piece of work may have a limit of its own, and what runs beside it has not', async () => {
  limitStatements(77_000)
  const own = withStatementLimit(5_000, async () => [await limitOf(), await withStatementLimit(900, limitOf)])
  expect([await limitOf(), await own, await limitOf()]).toEqual(['77s', ['5s', '900ms'], '77s'])
})
