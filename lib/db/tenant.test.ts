import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool, switchPool } from './pool.ts'
import { withSystemSql, withTenant, withTenantSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
const organizations: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  for (const name of ['first', 'second']) {
    const [row] = await database.query<{ id: string }>('insert into organization (name) values ($1) returning id', [
      name,
    ])
    const id = row?.id as string
    organizations.push(id)
    const user = `insert into app_user (organization_id, email, name, role) values ($1, $2, $2, 'admin')`
    await database.query(user, [id, `${name}@example.com`])
  }
})
afterAll(() => database.drop())

test('A9: a query without a where sees only the rows of its organization', async () => {
  const rows = await withTenantSql(organizations[0] as string, (sql) => sql('select email from app_user'))
  expect(rows).toEqual([{ email: 'first@example.com' }])
  expect(await withTenant(organizations[1] as string, (db) => db.user.count())).toBe(1)
})

test('A9: a row cannot be written into another organization', async () => {
  const [first, second] = organizations as [string, string]
  const insert = `insert into app_user (organization_id, email, name, role) values ($1, 'x@example.com', 'x', 'viewer')`
  await expect(withTenantSql(first, (sql) => sql(insert, [second]))).rejects.toThrow('row-level security')
})

test('A9: every table with an organization has its policy switched on, also for its owner', async () => {
  const unprotected = await database.query(`
    select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id'
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid))`)
  expect(unprotected).toEqual([])
})

test('A10: a pooled connection keeps no organization after its transaction', async () => {
  await withTenantSql(organizations[0] as string, (sql) => sql('select 1'))
  await withSystemSql((sql) => sql('select 1'))
  for (let i = 0; i < 12; i++) expect((await pool().query('select email from app_user')).rows).toEqual([])
})

test('a failed transaction leaves nothing behind and its connection usable', async () => {
  const organizationId = organizations[0] as string
  const rename = withTenantSql(organizationId, async (sql) => {
    await sql(`update app_user set name = 'changed'`)
    throw new Error('stop')
  })
  await expect(rename).rejects.toThrow('stop')
  expect(await withTenantSql(organizationId, (sql) => sql('select name from app_user'))).toEqual([
    { name: 'first@example.com' },
  ])
})

test('days are told in UTC, whatever time zone the database is set to', async () => {
  await database.query(
    `do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Pacific/Auckland'); end $$`,
  )
  await switchPool(database.url)
  const evening = `select ('2026-11-20T20:00:00Z'::timestamptz)::date as day`
  expect((await pool().query(evening)).rows).toEqual([{ day: '2026-11-21' }])
  expect(await withTenantSql(organizations[0] as string, (sql) => sql(evening))).toEqual([{ day: '2026-11-20' }])
  expect(await withSystemSql((sql) => sql(evening))).toEqual([{ day: '2026-11-20' }])
})
