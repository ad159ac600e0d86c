import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool, switchPool } from './pool.ts'
import { type Sql, withSystemSql, withTenant, withTenantMoment, withTenantSnapshot, withTenantSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

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

test.each([
  ['a quote and another scope', (id: string) => `${id}', true), set_config('tieout.scope', 'system`],
  ['another spelling', (id: string) => id.toUpperCase().replace(/^./, 'A')],
  ['nothing', () => ''],
])('A9: no transaction begins for anything but an organization’s id: %s', async (_, spell) => {
  const work = withTenantSql(spell(organizations[0] as string), (sql) => sql('select email from app_user'))
  await expect(work).rejects.toThrow('named by a uuid')
})

test('A9: a row cannot be written into another organization', async () => {
  const [first, second] = organizations as [string, string]
  const insert = `insert into app_user (organization_id, email, name, role) values ($1, 'x@example.com', 'x', 'viewer')`
  await expect(withTenantSql(first, (sql) => sql(insert, [second]))).rejects.toThrow('row-level security')
})

test('A9: each of many snapshots sees its own organization, though none waits for the end of the one before', async () => {
  const turns = Array.from({ length: 60 }, (_, at) => organizations[at % 2] as string)
  const ask = (id: string) =>
    withTenantSnapshot(id, (sql) => sql<{ id: string }>('select organization_id as id from app_user'))
  const seen = await Promise.all(turns.map(ask))
  expect(seen).toEqual(turns.map((id) => [{ id }]))
  for (const id of turns) expect(await ask(id)).toEqual([{ id }])
  expect(await withTenantSql(organizations[0] as string, (sql) => sql('show transaction_isolation'))).toEqual([
    { transaction_isolation: 'read committed' },
  ])
})

test('a snapshot changes nothing', async () => {
  const id = organizations[0] as string
  const change = withTenantSnapshot(id, (sql) => sql(`update app_user set name = 'x'`))
  await expect(change).rejects.toThrow('read-only')
  expect(await withTenantSnapshot(id, (sql) => sql('select from app_user'))).toHaveLength(1)
})

const readMoment = (id: string) => {
  const read = async (sql: Sql) => {
    const [row] = await sql<{ id: string; pid: number; moment: string }>(
      `select (select organization_id from app_user) as id, pg_backend_pid() as pid, pg_current_snapshot()::text as moment`,
    )
    return row
  }
  return withTenantMoment(id, { first: read, second: read, third: read })
}

test('reads of one moment see the same side by side, whatever is committed meanwhile', async () => {
  const id = organizations[0] as string
  let isOver = false
  const commitAllTheTime = async () => {
    while (!isOver) await withTenantSql(id, (sql) => sql('select pg_current_xact_id()'))
  }
  const committing = [commitAllTheTime(), commitAllTheTime()]
  const moments = new Set<string | undefined>()
  for (let round = 0; round < 20; round++) {
    const { first, second, third } = await readMoment(id)
    expect([second?.moment, third?.moment]).toEqual([first?.moment, first?.moment])
    expect(new Set([first?.pid, second?.pid, third?.pid]).size).toBe(3)
    moments.add(first?.moment)
  }
  isOver = true
  await Promise.all(committing)
  expect(moments.size).toBeGreaterThan(5)
})

test('A9: more requests for reads of one moment than there are connections do not wait for each other', async () => {
  const turns = Array.from({ length: 60 }, (_, at) => organizations[at % 2] as string)
  const seen = await Promise.all(turns.map(readMoment))
  expect(seen.map(({ first, second, third }) => [first?.id, second?.id, third?.id])).toEqual(
    turns.map((id) => [id, id, id]),
  )
  expect(seen.filter(({ first, third }) => first?.pid === third?.pid).length).toBeGreaterThan(0)
})

/** Tables of no organization: nothing in them may be about one. */
const OF_NOBODY = [
  '_prisma_migrations',
  'connection_transition',
  'partner_host',
  'password_wish',
  'passkey_challenge',
  'throttle',
  'token_key_canary',
]
/** The one rule, as PostgreSQL writes it. */
const toRule = (column: string) =>
  `((${column} = ( SELECT (NULLIF(current_setting('tieout.organization_id'::text, true), ''::text))::uuid AS "nullif")) ` +
  `OR (( SELECT current_setting('tieout.scope'::text, true) AS current_setting) = 'system'::text))`

test('A9: every table has exactly the one policy, on for its owner too, or belongs to no organization', async () => {
  const tables = await database.query<{ name: string; isOn: boolean; hasOrganization: boolean; policies: unknown[] }>(`
    select relname as name, relrowsecurity and relforcerowsecurity as "isOn",
           exists (select from pg_attribute where attrelid = c.oid and attname = 'organization_id' and attnotnull) as "hasOrganization",
           (select coalesce(json_agg(json_build_array(policyname, permissive, roles, cmd, qual, with_check)), '[]')
            from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname) as policies
    from pg_class c where relkind in ('r', 'p', 'f', 'm') and relnamespace = 'public'::regnamespace order by 1`)
  const toPolicy = (column: string) => ['organization_only', 'PERMISSIVE', ['public'], 'ALL', toRule(column), null]
  const expected = tables.map(({ name }) => {
    const isNobodys = OF_NOBODY.includes(name)
    const policies = isNobodys ? [] : [toPolicy(name === 'organization' ? 'id' : 'organization_id')]
    return { name, isOn: !isNobodys, hasOrganization: !isNobodys && name !== 'organization', policies }
  })
  expect(tables).toEqual(expected)
  expect(tables.length).toBeGreaterThan(30)
})

test('every table of organizations has new statistics once 20,000 of its rows have changed', async () => {
  const late = await database.query(
    `select relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and not coalesce(reloptions @> '{autovacuum_analyze_scale_factor=0,autovacuum_analyze_threshold=20000}', false)`,
  )
  expect(late).toEqual([])
})

test('A9: nothing bypasses the policies: no view, and no function with its owner’s rights that reads rows', async () => {
  const around = await database.query(`
    select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
    union all select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
      and not (prorettype = 'void'::regtype and prosrc ~ '^\\s*BEGIN\\s+ANALYZE [^;]+;\\s*END\\s*$')
      -- whose address it is that asked for a new password: the worker may not read password hashes
      -- (decision 031); the table's policy binds its owner too
      and not (proname = 'find_password_holder'
               and (select relforcerowsecurity from pg_class where relname = 'app_user'))
      -- a trigger that nobody can call (decision 029); the policies of its tables bind their owner too
      and not (proname = 'chain_audit_entry' and prorettype = 'trigger'::regtype
               and (select bool_and(relforcerowsecurity) from pg_class where relname in ('audit_entry', 'audit_head')))`)
  expect(around).toEqual([])
})

test('A10: a pooled connection keeps no organization after its transaction', async () => {
  await withTenantSql(organizations[0] as string, (sql) => sql('select 1'))
  await withSystemSql((sql) => sql('select 1'))
  for (let i = 0; i < 12; i++) expect((await pool().query('select email from app_user')).rows).toEqual([])
})

test('A9: a prepared statement is planned once, and shows each organization its own rows whoever asked first', async () => {
  const [first, second] = organizations as [string, string]
  const ask = (organizationId: string) =>
    withTenantSql(organizationId, async (sql) => ({
      emails: await sql.prepared('emails', 'select email from app_user where $1::text is not null', ['x']),
      plans: await sql('select generic_plans::int as generic from pg_prepared_statements where name = $1', ['emails']),
    }))
  // one after the other, so always the same connection
  for (let turn = 0; turn < 5; turn++) {
    expect((await ask(first)).emails).toEqual([{ email: 'first@example.com' }])
    expect((await ask(second)).emails).toEqual([{ email: 'second@example.com' }])
  }
  expect((await ask(second)).plans[0]?.generic).toBeGreaterThan(0)
  expect(
    (
      await withSystemSql((sql) =>
        sql.prepared('emails', 'select email from app_user where $1::text is not null', ['x']),
      )
    ).length,
  ).toBe(2)
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

test('F29: a connection killed inside a transaction is not handed out again', async () => {
  const organizationId = organizations[0] as string
  const pids = new Set<unknown>()
  const readPid = async (sql: Sql) => {
    const [row] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
    return row?.pid
  }
  for (let round = 0; round < 3; round++) {
    const killed = withTenantSql(organizationId, async (sql) => {
      const pid = await readPid(sql)
      pids.add(pid)
      await sql(`update app_user set name = 'half done'`)
      await database.query('select pg_terminate_backend($1)', [pid])
      await sql('select 1')
    })
    await expect(killed).rejects.toThrow()
    expect(pids).not.toContain(await withTenantSql(organizationId, readPid))
  }
  expect(pids.size).toBe(3)
  expect(await database.query('select name from app_user order by name')).toEqual([
    { name: 'first@example.com' },
    { name: 'second@example.com' },
  ])
})

test('F29: a connection that could not roll back is not handed out, or its next user would commit the rest', async () => {
  const organizationId = organizations[0] as string
  const failed = withTenantSql(organizationId, async (sql) => {
    await sql(`update app_user set name = 'half done'`)
    const { client } = sql
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>
    client.query = ((text: string, values?: unknown[]) =>
      text === 'rollback' ? Promise.reject(new Error('no rollback')) : query(text, values)) as typeof client.query
    throw new Error('stop')
  })
  await expect(failed).rejects.toThrow('stop')
  expect(await withTenantSql(organizationId, (sql) => sql('select name from app_user'))).toEqual([
    { name: 'first@example.com' },
  ])
  expect(await database.query(`select 1 from app_user where name = 'half done'`)).toEqual([])
})

test('days are in UTC, whatever the database’s time zone', async () => {
  await database.query(
    `do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Pacific/Auckland'); end $$`,
  )
  await switchPool(database.url)
  const evening = `select ('2026-11-20T20:00:00Z'::timestamptz)::date as day`
  expect((await pool().query(evening)).rows).toEqual([{ day: '2026-11-21' }])
  expect(await withTenantSql(organizations[0] as string, (sql) => sql(evening))).toEqual([{ day: '2026-11-20' }])
  expect(await withSystemSql((sql) => sql(evening))).toEqual([{ day: '2026-11-20' }])
})
