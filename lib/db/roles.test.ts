import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { SettingsError } from '#lib/env.ts'
import { ACCESS, FUNCTIONS } from './access.ts'
import { EMBEDDED_ROLES } from './embedded-postgres.ts'
import { pool, switchPool } from './pool.ts'
import { grantAccess, requireRole } from './roles.ts'
import { withTenantSql } from './tenant.ts'
import { databaseUrl } from './test-support/test-cluster.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

let database: TestDatabase
/** The test server's superuser, for this database. */
let superuserUrl: string
const organizations: string[] = []
const madeRoles: string[] = []

beforeAll(async () => {
  database = await createTestDatabase('web')
  superuserUrl = databaseUrl(inject('testServer').superuser, new URL(database.url).pathname.slice(1))
  for (const name of ['first', 'second']) {
    const [row] = await database.query<{ id: string }>(
      `with made as (insert into organization (name) values ($1) returning id)
       insert into app_user (organization_id, email, name, role, password_hash)
       select id, $1 || '@example.com', $1, 'admin', 'a hash' from made returning organization_id as id`,
      [name],
    )
    organizations.push(row?.id as string)
  }
})
afterEach(async () => {
  await switchPool(database.urls.web)
  for (const role of madeRoles.splice(0))
    await query(superuserUrl, `drop owned by "${role}"; drop role "${role}"`).catch(() => undefined)
})
afterAll(() => database.drop())

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A role for one test, dropped after it. */
async function makeRole(attributes = ''): Promise<{ name: string; url: string }> {
  const name = `tieout_test_${Math.random().toString(36).slice(2, 10)}`
  madeRoles.push(name)
  await query(superuserUrl, `create role "${name}" login password 'x' ${attributes}`)
  const url = new URL(database.url)
  url.username = name
  url.password = 'x'
  return { name, url: url.toString() }
}

test('A9: the rights of web server and worker are listed for every table', async () => {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and obj_description(oid, 'pg_class') is distinct from 'kept answer' order by 1`,
  )
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(ACCESS).sort())
})

test('A9: with the web server’s role, a query without a where sees only its organization’s rows', async () => {
  const first = organizations[0] as string
  expect(await withTenantSql(first, (sql) => sql('select name from app_user'))).toEqual([{ name: 'first' }])
  expect((await pool().query('select name from app_user')).rows).toEqual([])
  const insert = `insert into app_user (organization_id, email, name, role) values ($1, 'x@example.com', 'x', 'viewer')`
  await expect(withTenantSql(first, (sql) => sql(insert, [organizations[1]]))).rejects.toThrow('row-level security')
})

test.each(['web', 'worker'] as const)(
  'A9: the role of the %s cannot change anything that protects the rows',
  async (role) => {
    const url = database.urls[role]
    const refused = [
      'alter table app_user disable row level security',
      'alter table app_user no force row level security',
      'drop policy organization_only on app_user',
      'create policy all_rows on app_user using (true)',
      'alter policy organization_only on app_user using (true)',
      'alter table connection_event disable trigger all',
      'drop trigger t01_connection_event_is_append_only on connection_event',
      'create or replace function refuse_connection_event_change() returns trigger language plpgsql as $$ begin return new; end $$',
      'truncate connection_event',
      'drop table line',
      'alter table line add column extra text',
      'create table extra (id int)',
      'create schema extra',
      'create role extra',
      'alter role current_user bypassrls',
      'set role tieout',
      'delete from connection_event',
      'update connection_transition set to_state = from_state',
      'delete from _prisma_migrations',
    ]
    for (const statement of refused)
      await expect(query(url, statement), statement).rejects.toThrow(/permission denied|must be owner|must be able to/)
  },
)

test('A24: the web server’s role writes sealed columns but cannot read them', async () => {
  const { web } = database.urls
  await query(web, 'select generation, key_id from connection_credential')
  for (const statement of [
    'select sealed_tokens from connection_credential',
    'select * from connection_credential',
    'select sealed_tokens from connection_candidate',
    'select sealed_key from scim_credential',
    'select sealed_answer from refresh_attempt',
    'insert into token_key_canary (key_id, sealed) values (1, 1)',
  ])
    await expect(query(web, statement), statement).rejects.toThrow('permission denied')
})

test('A9: after a restore without privileges nobody may call functions with the owner’s rights but who is listed', async () => {
  const functions = await database.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype order by 1`,
  )
  expect(functions.map(({ name }) => name)).toEqual(Object.keys(FUNCTIONS).sort())
  for (const { name } of functions) await database.query(`grant execute on function ${name} to public`)
  await grantAccess(database.url, EMBEDDED_ROLES)
  for (const { name } of functions) {
    const [row] = await database.query(
      `select has_function_privilege('tieout_web', $1, 'execute') as web, has_function_privilege('tieout_worker', $1, 'execute') as worker`,
      [name],
    )
    expect(row).toEqual({ web: FUNCTIONS[name]?.web !== '', worker: FUNCTIONS[name]?.worker !== '' })
  }
})

test('only the worker’s role may have the statistics made anew, and may although it owns nothing', async () => {
  const ask = (url: string) => query(url, 'select refresh_statistics()')
  await ask(database.urls.worker)
  await expect(ask(database.urls.web)).rejects.toThrow('permission denied')
  await database.query('select refresh_statistics()')
})

test('the worker’s role cannot read passwords or intents, nor of sessions more than when somebody was here', async () => {
  const { worker } = database.urls
  await query(worker, 'select name, email from app_user')
  await query(worker, 'select last_seen_at from user_session')
  for (const statement of [
    'select password_hash from app_user',
    `update app_user set role = 'admin'`,
    'select id_hash from user_session',
    'select last_seen_at, user_id from user_session',
    'delete from user_session',
    'select 1 from connect_intent',
  ])
    await expect(query(worker, statement), statement).rejects.toThrow('permission denied')
})

test.each([
  ['a superuser', 'superuser'],
  ['a role with BYPASSRLS', 'bypassrls'],
])('A9: refuses %s, at the start and for each connection', async (_, attribute) => {
  const { name, url } = await makeRole(attribute)
  const sentence = `DATABASE_URL: row-level security does not hold for the role "${name}" (superuser or BYPASSRLS)`
  await expect(requireRole(url, [])).rejects.toThrow(sentence)
  await switchPool(url)
  await expect(withTenantSql(organizations[0] as string, (sql) => sql('select 1'))).rejects.toThrow(sentence)
})

test('A9: refuses a role that can become one exempt from row-level security', async () => {
  const { name, url } = await makeRole()
  await query(superuserUrl, `grant postgres to "${name}"`)
  await expect(requireRole(url, [])).rejects.toThrow(SettingsError)
})

test('the owner of the tables may be the role of both processes, and is recognized', async () => {
  expect(await requireRole(database.url, ['web', 'worker'])).toMatchObject({ isOwner: true, isExempt: false })
  expect(await requireRole(database.urls.web, ['web'])).toMatchObject({ isOwner: false, isExempt: false })
})

test('names the rights a role lacks: all, the other process’s, or one that an upgrade added', async () => {
  const { name, url } = await makeRole()
  await expect(requireRole(url, ['web'])).rejects.toThrow(
    `DATABASE_URL: the role "${name}" lacks rights of the web (select on _prisma_migrations and `,
  )
  const wrong = (url: string, process: 'web' | 'worker') =>
    requireRole(url, [process]).catch((error: Error) => error.message)
  // never a way to give one process the rights of the other
  expect(await wrong(database.urls.web, 'worker')).toMatch(
    /lacks rights of the worker \(.+\), and is the web server's: use the settings and the user of the worker for this command\.$/,
  )
  expect(await wrong(database.urls.worker, 'web')).toMatch(
    /lacks rights of the web \(.+\), and is the worker's: use the settings and the user of the web server for this command\.$/,
  )
  await query(database.url, 'revoke update on sync_hint from tieout_web')
  await expect(requireRole(database.urls.web, ['web'])).rejects.toThrow(
    'lacks rights of the web (update on sync_hint):',
  )
  await query(database.url, 'alter table connection_credential add column extra text')
  await grantAccess(database.url, EMBEDDED_ROLES)
  await requireRole(database.urls.web, ['web'])
})

test('gives roles of any name their rights, repeatedly, and revokes all others', async () => {
  const web = await makeRole()
  const worker = await makeRole()
  const roles = { web: web.name, worker: worker.name }
  await grantAccess(database.url, roles)
  await query(database.url, `grant all on all tables in schema public to "${web.name}"`)
  await Promise.all([1, 2, 3].map(() => grantAccess(database.url, roles)))
  await requireRole(web.url, ['web'])
  await requireRole(worker.url, ['worker'])
  await expect(query(web.url, 'select sealed_tokens from connection_credential')).rejects.toThrow('permission denied')
  await expect(query(web.url, 'delete from line')).rejects.toThrow('permission denied')
  const other = await makeRole()
  await expect(query(other.url, 'create temporary table line (id int)')).rejects.toThrow('permission denied')
})

test('creates a missing role where the owner may; elsewhere the message says what to run', async () => {
  const name = `tieout_test_${Math.random().toString(36).slice(2, 10)}`
  const roles = { ...EMBEDDED_ROLES, web: name }
  await expect(grantAccess(database.url, roles)).rejects.toThrow(
    `DATABASE_WEB_ROLE: there is no role "${name}" (permission denied to create role); as an administrator: create role "${name}" login`,
  )
  madeRoles.push(name)
  await grantAccess(superuserUrl, roles)
  const [made] = await query(
    superuserUrl,
    `select rolcanlogin, rolsuper, rolbypassrls, rolpassword is null as "hasNone"
    from pg_authid where rolname = '${name}'`,
  )
  expect(made).toEqual({ rolcanlogin: true, rolsuper: false, rolbypassrls: false, hasNone: true })
})

test('refuses the owner, or an exempt role, as the role of a process', async () => {
  await expect(grantAccess(database.url, { ...EMBEDDED_ROLES, web: 'tieout' })).rejects.toThrow(
    'DATABASE_WEB_ROLE: the role "tieout" owns the tables or can become their owner; name another.',
  )
  await expect(grantAccess(database.url, { ...EMBEDDED_ROLES, worker: 'postgres' })).rejects.toThrow(
    'DATABASE_WORKER_ROLE: row-level security does not hold for the role "postgres"; name another.',
  )
})
