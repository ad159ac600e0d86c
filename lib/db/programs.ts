/**
 * The functions and triggers of the database, as they are now: each stands in a file beside what it
 * is about (the `.sql` files in `lib`), and nowhere else (decision 043).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { TRIGGER_ORDER } from './trigger-order.ts'

/** What defines columns is part of the tables, and stays where they are made (the migrations). */
const OF_COLUMNS = ['to_stated_taxes', 'to_tax_figures']

/** All that the files say, with the triggers named by their order, and the hash of it. */
export type Programs = { sql: string; hash: string }

/**
 * Reads the files of `root`, the folder of the project.
 * @throws Error when a trigger has no place in `TRIGGER_ORDER`, or a place has no trigger.
 */
export function readPrograms(root: string): Programs {
  return toPrograms(readSources(root))
}

/** @internal */
export function toPrograms(text: string): Programs {
  const sql = nameTriggers(text)
  return { sql, hash: createHash('sha256').update(sql).digest('hex') }
}

/** @internal The text of all files, in the order of their paths. */
export function readSources(root: string): string {
  const paths = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  )
  return paths
    .sort()
    .map((path) => readFileSync(join(root, 'lib', path), 'utf8'))
    .join('\n')
}

/**
 * @internal
 * Triggers of one event fire in the order of their names (PostgreSQL, "Overview of Trigger
 * Behavior"). So a name begins with its place in the declared order: `t03_roll_up_added`. One that
 * says of itself, in the line above, that it fires last needs no place there.
 */
export function nameTriggers(text: string): string {
  const left = new Set(
    Object.entries(TRIGGER_ORDER).flatMap(([table, names]) => names.map((name) => `${name} ${table}`)),
  )
  const named = text.replaceAll(
    /^(-- Fires last\.\n)?CREATE TRIGGER (\w+)([^;]*?)\sON (\w+)/gm,
    (_, isLast: string | undefined, name: string, event: string, table: string) => {
      if (isLast !== undefined) return `CREATE TRIGGER t99_${name}${event} ON ${table}`
      const place = TRIGGER_ORDER[table]?.indexOf(name) ?? -1
      if (place === -1 || !left.delete(`${name} ${table}`))
        throw new Error(
          `The trigger ${name} of ${table} has no place in lib/db/trigger-order.ts, or stands in two files.`,
        )
      return `CREATE TRIGGER t${String(place + 1).padStart(2, '0')}_${name}${event} ON ${table}`
    },
  )
  if (left.size > 0)
    throw new Error(`No file makes these triggers of lib/db/trigger-order.ts: ${[...left].join(', ')}.`)
  return named
}

/**
 * @internal
 * The statements of a text, each up to its semicolon, with the comments before it. Semicolons in
 * quoted texts, bodies and comments end none.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of text.matchAll(/\$(\w*)\$[\s\S]*?\$\1\$|--.*|'(?:[^']|'')*'|;|[^;'$-]+|[\s\S]/g)) {
    statement += token
    if (token !== ';') continue
    statements.push(statement.trim())
    statement = ''
  }
  if (statement.replaceAll(/--.*/g, '').trim() !== '')
    throw new Error(`The last statement has no semicolon: ${statement.trim()}`)
  return statements
}

/**
 * Whether the database has exactly these functions and triggers: the files that were applied last
 * are these, and nobody has changed, added or removed one since.
 */
export async function hasPrograms(client: pg.Client, { hash }: Programs): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null; catalog: string }>(
    `select obj_description(to_regclass('public._prisma_migrations'), 'pg_class') as comment, (${CATALOG_HASH}) as catalog`,
  )
  return rows[0]?.comment === toComment(hash, rows[0]?.catalog ?? '')
}

const toComment = (hash: string, catalog: string) => `functions and triggers: ${hash} ${catalog}`

/** The one trigger that a cluster has besides (lib/db/cluster/distribute.ts); it fires first. */
export const OF_CLUSTER = 'a0_number_in_time'

/** Of every function and trigger as the catalog has it, whoever made it. */
const CATALOG_HASH = `
  select encode(sha256(convert_to(coalesce(string_agg(text, chr(10) order by text), ''), 'UTF8')), 'hex') from (
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and t.tgname <> '${OF_CLUSTER}') defined`

/**
 * Puts exactly these functions and triggers in place of those that are there, in one transaction.
 * The rights on functions are given afterwards (`grantAccess`).
 */
export async function applyPrograms(client: pg.Client, { sql, hash }: Programs): Promise<void> {
  await client.query('begin')
  try {
    // a cluster takes triggers away from all parts at once, and functions only after one by one
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await client.query(DROP_ALL)
    // a function may call one that a later file makes
    await client.query('set local check_function_bodies = off')
    // one by one: a cluster would pass the whole batch on to each node with each of them
    for (const statement of splitStatements(sql)) await client.query(statement)
    const { rows } = await client.query<{ catalog: string }>(`select (${CATALOG_HASH}) as catalog`)
    await client.query(`comment on table _prisma_migrations is '${toComment(hash, rows[0]?.catalog ?? '')}'`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(
      `The functions and triggers could not be applied: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    )
  }
}

const DROP_ALL = `do $$
  declare each record;
  begin
    for each in
      select t.tgname as name, t.tgrelid::regclass as owner from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
    loop
      execute format('drop trigger %I on %s', each.name, each.owner);
    end loop;
    for each in
      select p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.proname = any ('{${OF_COLUMNS.join(',')}}')
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    loop
      execute format('drop function %s', each.name);
    end loop;
  end $$`
