/**
 * Somebody has taken a process over and talks to the database with its role, in SQL of their own.
 * Decisions 013 and 029 say what they cannot reach.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROCESSES, type Process } from './access.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

/** The code of PostgreSQL for whatever a role lacks the right to, its policies included. */
const LACKS_RIGHT = '42501'

/**
 * One way, tried in a transaction of the organization `ours`; `:ours` and `:theirs` stand for ids.
 * Refused, unless it is `quiet`: then its last statement finds what was reached, and must find
 * nothing.
 */
type Way = { to: 'owner' | 'organization' | 'tokens' | 'audit'; sql: string; as?: Process; quiet?: true }

/** Whatever it is called by notes whose rights it has; the last statement finds the owner's. */
const SPY = `
  create function pg_temp.spy() returns text language plpgsql as $$ begin
    perform set_config('spy.rights', current_user, true); return null; end $$;
  create function pg_temp.spy_on_row() returns trigger language plpgsql as $$ begin
    perform pg_temp.spy(); return new; end $$;`
const FIND = `select current_setting('spy.rights', true) as rights
  where nullif(current_setting('spy.rights', true), '') <> session_user`
/** A table of the audit's trigger with code of ours. */
const SHADOW = `${SPY}
  create temp table audit_head (organization_id uuid primary key, number bigint not null, hash bytea not null);
  grant all on audit_head to public;
  create trigger t before insert or update on audit_head for each row execute function pg_temp.spy_on_row();`
const NONSENSE = `insert into audit_entry (organization_id, actor_kind, actor_name, action) values (':ours', 'program', 'x', 'a.b')`
const SYSTEM = `select set_config('tieout.scope', 'system', true);`

const WAYS: Record<string, Way> = {
  'becomes the owner': { to: 'owner', sql: 'set role tieout' },
  'begins a session of the owner': { to: 'owner', sql: 'set session authorization tieout' },
  'joins the owner': { to: 'owner', sql: 'grant tieout to current_user' },
  'gives the owner a password': { to: 'owner', sql: `alter role tieout password 'x'` },
  'makes itself a superuser': { to: 'owner', sql: 'alter role current_user superuser' },
  'reads the hashes of the roles’ passwords': { to: 'owner', sql: 'select rolpassword from pg_authid' },
  'owns a table': { to: 'owner', sql: 'alter table line owner to current_user' },
  'takes over what the owner has': { to: 'owner', sql: 'reassign owned by tieout to current_user' },
  'changes a function with the owner’s rights': {
    to: 'owner',
    sql: 'alter function find_password_holder(text) set search_path = pg_temp, public',
  },
  'writes such a function anew': {
    to: 'owner',
    sql: `create or replace function refresh_statistics() returns void language plpgsql security definer as $$ begin end $$`,
  },
  'adds a function to our schema': {
    to: 'owner',
    sql: 'create function audit_text(text) returns text language sql return 1::text',
  },
  'adds an operator to our schema': {
    to: 'owner',
    sql: 'create operator public.|| (leftarg = bytea, rightarg = bytea, function = byteacat)',
  },
  'puts a trigger on a table': {
    to: 'owner',
    sql: 'create trigger t before insert on audit_head for each row execute function suppress_redundant_updates_trigger()',
  },
  'puts a rule on a table': { to: 'owner', sql: 'create rule r as on insert to audit_head do instead nothing' },
  'shadows a table by a schema of its own name': { to: 'owner', sql: 'create schema authorization current_user' },
  'shadows what the audit’s trigger writes by a temporary table with a trigger': {
    to: 'owner',
    quiet: true,
    sql: `${SHADOW} ${NONSENSE}; ${FIND}`,
  },
  'shadows what the audit’s trigger reads by a temporary view': {
    to: 'owner',
    quiet: true,
    sql: `${SPY}
      create temp view organization as select *, pg_temp.spy() as spied from public.organization;
      create temp view audit_head as select h.organization_id, h.number, h.hash from public.audit_head h where pg_temp.spy() is null;
      grant all on organization, audit_head to public;
      ${NONSENSE}; ${FIND}`,
  },
  'shadows the people by a temporary view': {
    to: 'owner',
    as: 'worker',
    quiet: true,
    sql: `${SPY}
      create temp view app_user as select gen_random_uuid() as organization_id, gen_random_uuid() as id, 'x'::text as email,
        pg_temp.spy() as password_hash, null::timestamptz as disabled_at, false as break_glass, 'admin'::text as role;
      grant all on app_user to public;
      select * from find_password_holder('x'); ${FIND}`,
  },
  'chooses where functions look for tables': {
    to: 'owner',
    quiet: true,
    sql: `${SHADOW}
      set local search_path = pg_temp, pg_catalog; insert into public.audit_entry (organization_id, actor_kind, actor_name, action)
        values (':ours', 'program', 'x', 'a.b'); ${FIND}`,
  },
  'runs a program of the machine': { to: 'owner', sql: `copy (select 1) to program 'id'` },
  'reads a file of the machine': { to: 'owner', sql: `select pg_read_file('PG_VERSION')` },
  'writes a file of the machine': { to: 'owner', sql: `copy (select 1) to '/tmp/tieout-taken'` },
  'changes the server’s settings': { to: 'owner', sql: `alter role tieout set search_path = pg_temp` },
  'loads a library': { to: 'owner', sql: `load 'dblink'` },
  'ends the sessions of the owner': {
    to: 'owner',
    sql: `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tieout'`,
  },
  'runs its own code whenever something is made': {
    to: 'owner',
    sql: `${SPY} create function pg_temp.on_event() returns event_trigger language plpgsql as $$ begin end $$;
      create event trigger e on ddl_command_end execute function pg_temp.on_event()`,
  },

  'asks without a condition': {
    to: 'organization',
    quiet: true,
    sql: `select name from app_user where organization_id <> ':ours'`,
  },
  'reads a whole table, not row by row': {
    to: 'organization',
    quiet: true,
    sql: `declare all_rows cursor for table organization; move forward 1 from all_rows; fetch all from all_rows`,
  },
  'hides behind a function that tells what it sees': {
    to: 'organization',
    quiet: true,
    sql: `create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0001 as $$ begin
        if $1 like '%theirs%' then perform set_config('spy.rights', $1, true); end if; return true; end $$;
      select count(*) from app_user where pg_temp.tell(email); ${FIND}`,
  },
  'asks for the values that the planner keeps': {
    to: 'organization',
    quiet: true,
    sql: `select * from pg_stats where tablename = 'app_user'`,
  },
  'reads the planner’s own table': { to: 'organization', sql: 'select * from pg_statistic' },
  'switches its policies off': { to: 'organization', sql: 'set local row_security = off; select * from app_user' },
  'lifts the policies of a table': { to: 'organization', sql: 'alter table line no force row level security' },
  'writes a row of theirs': {
    to: 'organization',
    as: 'web',
    sql: `insert into app_user (organization_id, email, name, role) values (':theirs', 'x@example.com', 'x', 'admin')`,
  },
  'moves a row of ours to them': {
    to: 'organization',
    as: 'web',
    sql: `update app_user set organization_id = ':theirs' where organization_id = ':ours'`,
  },
  'changes rows of theirs': {
    to: 'organization',
    as: 'web',
    quiet: true,
    sql: `update app_user set role = 'admin' where organization_id = ':theirs' returning id`,
  },
  'overwrites a row of theirs by its address': {
    to: 'organization',
    as: 'web',
    sql: `insert into app_user (organization_id, email, name, role) values (':ours', 'theirs@example.com', 'x', 'admin')
      on conflict (email) do update set role = 'admin'`,
  },
  'reads what others have just asked': {
    to: 'organization',
    quiet: true,
    sql: `select query from pg_stat_activity where usename <> session_user and query !~ 'insufficient privilege' and query <> ''`,
  },
  'empties a table of everybody': { to: 'organization', sql: 'truncate app_user cascade' },

  'reads sealed tokens': { to: 'tokens', as: 'web', sql: 'select sealed_tokens from connection_credential' },
  'reads them as a whole row': { to: 'tokens', as: 'web', sql: 'select c from connection_credential c' },
  'reads them as JSON': { to: 'tokens', as: 'web', sql: 'select to_jsonb(c) from connection_credential c' },
  'copies them': { to: 'tokens', as: 'web', sql: 'copy connection_credential to stdout' },
  'reads them while it writes them': {
    to: 'tokens',
    as: 'web',
    sql: 'update connection_credential set lease_owner = null returning sealed_tokens',
  },
  'copies them into a column that it may read': {
    to: 'tokens',
    as: 'web',
    sql: 'update connection_credential set lease_owner = sealed_tokens',
  },
  'guesses them by a condition': {
    to: 'tokens',
    as: 'web',
    sql: `select 1 from connection_credential where sealed_tokens like 'a%'`,
  },
  'makes an index that says which is there': {
    to: 'tokens',
    as: 'web',
    sql: 'create unique index guess on connection_credential (sealed_tokens)',
  },
  'reads the sealed key of a directory': { to: 'tokens', as: 'web', sql: 'select sealed_key from scim_credential' },
  'reads tokens that wait to be chosen': {
    to: 'tokens',
    as: 'web',
    sql: 'select sealed_tokens from connection_candidate',
  },
  'reads tokens as they are renewed': { to: 'tokens', as: 'web', sql: 'select sealed_answer from refresh_attempt' },
  'passes for a key that a worker knows': {
    to: 'tokens',
    as: 'web',
    sql: `insert into token_key_canary (key_id, sealed) values ('x', 'x')`,
  },
  'reads hashes of passwords': { to: 'tokens', as: 'worker', sql: 'select password_hash from app_user' },
  'reads sessions': { to: 'tokens', as: 'worker', sql: 'select id_hash from user_session' },

  'changes an entry': { to: 'audit', sql: `${SYSTEM} update audit_entry set actor_name = 'somebody else'` },
  'removes an entry': { to: 'audit', sql: `${SYSTEM} delete from audit_entry` },
  'empties the audit': { to: 'audit', sql: 'truncate audit_entry' },
  'moves the end of the chain': { to: 'audit', sql: `${SYSTEM} update audit_head set number = 0` },
  'begins a chain of its own': {
    to: 'audit',
    sql: `${SYSTEM} insert into audit_head values (':theirs', 5, '')`,
  },
  'switches the triggers off': { to: 'audit', sql: 'alter table audit_entry disable trigger user' },
  'passes for a replica, where triggers rest': { to: 'audit', sql: `set local session_replication_role = 'replica'` },
  'drops the trigger': { to: 'audit', sql: 'drop trigger t02_audit_entry_is_chained on audit_entry' },
  'loosens what an entry must be': {
    to: 'audit',
    sql: 'alter table audit_entry drop constraint audit_entry_action_check',
  },
  'writes over an entry by its number': {
    to: 'audit',
    sql: `insert into audit_entry (organization_id, number, at, actor_kind, actor_name, action, previous_hash, hash)
      values (':ours', 1, now(), 'program', 'x', 'a.b', '', '') on conflict (organization_id, number) do update set actor_name = 'x'`,
  },
  'says the number, the time and the hash of an entry itself': {
    to: 'audit',
    quiet: true,
    sql: `insert into audit_entry (organization_id, number, at, actor_kind, actor_name, action, previous_hash, hash)
        values (':ours', 99, '2020-01-01', 'program', 'x', 'a.b', '', 'x');
      select from audit_entry where number = 99 or at < '2021-01-01' or hash = 'x'`,
  },
  'writes an entry of theirs': {
    to: 'audit',
    sql: `insert into audit_entry (organization_id, actor_kind, actor_name, action) values (':theirs', 'program', 'x', 'a.b')`,
  },
}

let database: TestDatabase
const ids: Record<'ours' | 'theirs', string> = { ours: '', theirs: '' }
const clients: Partial<Record<Process, pg.Client>> = {}

beforeAll(async () => {
  database = await createTestDatabase('web')
  for (const name of ['ours', 'theirs'] as const) {
    const [row] = await database.query<{ id: string }>(
      `with made as (insert into organization (name) values ($1) returning id), person as (
         insert into app_user (organization_id, email, name, role, password_hash)
         select id, $1 || '@example.com', $1, 'admin', 'a hash' from made)
       select id from made`,
      [name],
    )
    ids[name] = row?.id ?? ''
    await database.query(
      `insert into audit_entry (organization_id, actor_kind, actor_name, action) values ($1, 'program', 'web', 'people.added')`,
      [ids[name]],
    )
  }
  await database.query('analyze app_user')
  // the right to temporary tables is a second wall: each way must end at the first
  await database.query(`grant temporary on database "${new URL(database.url).pathname.slice(1)}" to public`)
  for (const role of PROCESSES) {
    const client = new pg.Client({ connectionString: database.urls[role] })
    await client.connect()
    clients[role] = client
  }
})
afterAll(async () => {
  for (const role of PROCESSES) await clients[role]?.end()
  await database.drop()
})

/** What the last statement found, or the code of the database's refusal. */
async function attempt(role: Process, text: string): Promise<unknown[] | string> {
  const client = clients[role] as pg.Client
  const statements = text.replaceAll(':ours', ids.ours).replaceAll(':theirs', ids.theirs)
  await client.query(`begin; select set_config('tieout.organization_id', '${ids.ours}', true),
    set_config('tieout.scope', 'organization', true), set_config('statement_timeout', '10s', true)`)
  try {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(statements)
    return [results].flat().at(-1)?.rows ?? []
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error)
  } finally {
    await client.query('rollback')
  }
}

for (const role of PROCESSES)
  test.each(
    Object.entries(WAYS)
      .filter(([, { as = role }]) => as === role)
      .map(([way, { to }]) => [to, way]),
  )(`A9: with the role of the ${role} nobody gets to the %s who %s`, async (_to, way) => {
    const { sql, quiet = false } = WAYS[way] as Way
    expect(await attempt(role, sql)).toEqual(quiet ? [] : LACKS_RIGHT)
  })

test('A9: every function with its owner’s rights looks in the caller’s temporary schema last', async () => {
  const functions = await database.query<{ name: string; path: string | null }>(
    `select p.oid::regprocedure::text as name,
            (select substr(c, 13) from unnest(p.proconfig) c where c like 'search_path=%') as path
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  expect(functions.map(({ name }) => name)).toEqual([
    'chain_audit_entry()',
    'find_password_holder(text)',
    'refresh_review_statistics()',
    'refresh_statistics()',
  ])
  for (const { name, path } of functions) expect(path, name).toBe('pg_catalog, public, pg_temp')
})
