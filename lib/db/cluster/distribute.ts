/**
 * Makes one database a cluster's: each table gets its place, and what differs there is made
 * different (docs/decisions/067-one-form-for-two-engines.md). It speaks SQL to an engine that the
 * operator has installed, and contains nothing of it.
 */
import { listKeptAnswers } from '../kept-answers.ts'
import { type Connection, withConnection } from '../one-connection.ts'
import { OF_CLUSTER } from '../programs.ts'
import { PLACES, type Place } from './places.ts'
import { forgetTakenApart, openTakenApart, putTogether, TAKEN_APART, takeApart } from './taken-apart.ts'

/** How many tables were given a place now; functions and policies are always brought along. */
export type Distributed = Record<Exclude<Place, 'local'>, number>

/**
 * Gives every table its place, with the rows that are in it. What has one already keeps it, so it
 * may be called after each upgrade, and again when it was ended by force: it goes on from there
 * (taken-apart.ts). Nobody may write meanwhile. Run as the owner of the tables,
 * whose rows the policies do not bind.
 * @throws Error when the server is no cluster, lacks what the triggers need, or refuses a table.
 */
export function distribute(ownerUrl: string): Promise<Distributed> {
  return withConnection(ownerUrl, async (client) => {
    await requireCluster(client)
    const isUnfinished = await openTakenApart(client)
    const missing = await listUnplaced(client)
    if (isUnfinished || missing.length > 0)
      await takeApart(
        client,
        missing.map(({ table }) => table),
      )
    try {
      await unwrapPolicies(client)
      await releaseOwner(client)
      for (const { table, place } of missing) await giveOnePlace(client, table, place)
      await putTogether(client, 'copy')
      await shareCounter(client)
      await identifyRows(client)
    } finally {
      await putTogether(client, 'key')
      // a trigger stands on the nodes, and its function there before it
      await shareFunctions(client)
      await putTogether(client, 'trigger')
    }
    await forgetTakenApart(client)
    await numberInTime(client)
    await grantNumbers(client)
    const count = (place: Place) => missing.filter((each) => each.place === place).length
    return { organization: count('organization'), reference: count('reference') }
  })
}

/** Whether giving tables their places was ended by force, so that a schema cannot be brought up. */
export function isHalfDistributed(ownerUrl: string): Promise<boolean> {
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [TAKEN_APART])
    return rows[0]?.is === true
  })
}

async function requireCluster(client: Connection): Promise<void> {
  const { rows } = await client.query<{
    isThere: boolean
    unsafe: string | null
    passes: string | null
    readsAll: boolean
  }>(
    `select exists (select from pg_extension where extname = 'citus') as "isThere",
            current_setting('citus.enable_unsafe_triggers', true) as unsafe,
            current_setting('citus.propagate_set_commands', true) as passes,
            (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "readsAll"`,
  )
  const [found] = rows
  if (found?.isThere !== true)
    throw new Error(
      'this PostgreSQL is no cluster: the extension citus is not in this database (docs/operations.md, "A cluster")',
    )
  // so no process can be set up with this role: its own tables would not hide anything from it
  if (!found.readsAll) throw new Error('a cluster needs an owner of the tables with BYPASSRLS, which no process uses')
  if (found.unsafe !== 'on') throw new Error('a cluster needs citus.enable_unsafe_triggers = on, on every node')
  if (found.passes !== 'local')
    throw new Error('a cluster needs citus.propagate_set_commands = local at the coordinator, and nowhere else')
}

type Missing = { table: string; place: Exclude<Place, 'local'> }

/** Tables without their place: what every node has comes first, since others refer to it. */
async function listUnplaced(client: Connection): Promise<Missing[]> {
  const kept = await listKeptAnswers(async (text) => (await client.query(text)).rows)
  const places = { ...PLACES, ...Object.fromEntries(kept.map(({ table }) => [table, 'organization' as const])) }
  const { rows } = await client.query<{ table: string }>(
    `select c.relname as "table" from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> '${TAKEN_APART}'
       and not exists (select from citus_tables t where t.table_name = c.oid and t.citus_table_type in ('distributed', 'reference'))
     order by 1`,
  )
  const found = rows.flatMap(({ table }) => {
    const place = places[table]
    if (place === undefined) throw new Error(`the table ${table} has no place (lib/db/cluster/places.ts)`)
    return place === 'local' ? [] : [{ table, place }]
  })
  const rank = ({ table, place }: Missing) => (place === 'reference' ? 0 : table === FIRST ? 1 : 2)
  return found.sort((a, b) => rank(a) - rank(b))
}

/** A policy there has no subquery: what it asks for once elsewhere, it asks for each row. */
async function unwrapPolicies(client: Connection): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format($$alter policy organization_only on %I using (%I = nullif(current_setting('tieout.organization_id', true), '')::uuid
                    or current_setting('tieout.scope', true) = 'system')$$, tablename,
                   case tablename when 'organization' then 'id' else 'organization_id' end) as statement
     from pg_policies where schemaname = 'public' and policyname = 'organization_only' and qual ~* '\\mselect\\M'`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/**
 * A shard moves by a role that may what the owner may, and that would write nothing of what changes
 * meanwhile into tables whose policies bind the owner. The owner reads past them on a cluster; web
 * server and worker own nothing, and stay bound.
 */
async function releaseOwner(client: Connection): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s no force row level security', c.oid::regclass) as statement
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Every organization's tables begin with the same column, so the rows of one stand together. */
async function giveOnePlace(client: Connection, table: string, place: Missing['place']): Promise<void> {
  const call = {
    reference: `select create_reference_table($1)`,
    organization: `select create_distributed_table($1, 'organization_id', colocate_with => $2)`,
  }[place]
  const first = FIRST === table ? 'none' : FIRST
  await client.query(call, place === 'reference' ? [table] : [table, first])
}

/** The table that all others stand beside. */
const FIRST = 'connection'

/** Triggers run on the nodes, and call these there. One that calls another comes after it. */
async function shareFunctions(client: Connection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
     order by p.oid`,
  )
  for (let left = rows; left.length > 0; ) {
    const failures: { row: (typeof rows)[number]; thrown: unknown }[] = []
    for (const row of left)
      await client
        .query('select create_distributed_function($1)', [row.name])
        .catch((thrown: unknown) => failures.push({ row, thrown }))
    if (failures.length === left.length) throw failures[0]?.thrown
    left = failures.map(({ row }) => row)
  }
}

/**
 * A trigger draws from it, on the node of its lines. A counter stands on every node once a column
 * of a table there begins with it; each node then has numbers of its own.
 */
async function shareCounter(client: Connection): Promise<void> {
  await client.query(`alter table line_touch alter column touch_order set default nextval('line_touch_order')`)
}

/**
 * A shard moves while its rows are written: a table without a key says of a row that was changed or
 * deleted all that it was.
 */
async function identifyRows(client: Connection): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s replica identity full', c.oid::regclass) as statement
     from pg_class c join citus_tables t on t.table_name = c.oid
     where t.citus_table_type = 'distributed' and c.relreplident <> 'f'
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Rows are told in the order of their numbers, also those that another node drew (shards.sql). */
async function numberInTime(client: Connection): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('create trigger ${OF_CLUSTER} before insert on %s for each row execute function number_in_time(%L)',
                   c.oid::regclass, a.attname) as statement
     from pg_class c join citus_tables t on t.table_name = c.oid
     join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     where t.citus_table_type = 'distributed'
       and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = '${OF_CLUSTER}')`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** On a node, who adds a row draws its number; one PostgreSQL asks for no right to that. */
async function grantNumbers(client: Connection): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select distinct format('grant usage on sequence %s to %I', pg_get_serial_sequence(c.oid::regclass::text, a.attname), r.rolname) as statement
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     cross join lateral aclexplode(c.relacl) g join pg_roles r on r.oid = g.grantee
     where c.relnamespace = 'public'::regnamespace and g.privilege_type = 'INSERT' and g.grantee <> c.relowner`,
  )
  for (const { statement } of rows) await client.query(statement)
}
