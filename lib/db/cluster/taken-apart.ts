/**
 * What stands between tables is taken away while they move, and comes back after it. What is still
 * to be done is kept in the database until it is: a move that is ended by force loses no foreign
 * key and no trigger, and leaves no second copy of rows; the next one finishes it.
 */
import type { Connection } from '../one-connection.ts'

/** A table of the coordinator, which is there while tables move and never otherwise. */
export const TAKEN_APART = 'taken_apart'

/** `copy`: rows of a table that has moved, which stay at the coordinator where nobody sees them. */
type Kind = 'copy' | 'key' | 'trigger'
type Part = { table: string; name: string; statement: string }

/** Makes the table; whether a move that was ended by force left something in it. Called first. */
export async function openTakenApart(client: Connection): Promise<boolean> {
  await client.query(
    `create table if not exists ${TAKEN_APART} (
       number bigint generated always as identity primary key, kind text not null, of_table text not null, name text not null,
       statement text not null, unique (kind, of_table, name))`,
  )
  return (await client.query(`select from ${TAKEN_APART} limit 1`)).rowCount === 1
}

/** Takes all foreign keys and triggers away: rows that move are no new ones, and meet no key. */
export async function takeApart(client: Connection, tables: readonly string[]): Promise<void> {
  const taken: [Kind, (Part & { drop: string })[]][] = [
    ['copy', tables.map(toCopy)],
    ['key', await listForeignKeys(client)],
    ['trigger', await listTriggers(client)],
  ]
  // each is told before any of them goes
  for (const [kind, parts] of taken)
    await client.query(
      `insert into ${TAKEN_APART} (kind, of_table, name, statement)
       select $1, part.* from unnest($2::text[], $3::text[], $4::text[]) part on conflict do nothing`,
      [kind, parts.map((part) => part.table), parts.map((part) => part.name), parts.map((part) => part.statement)],
    )
  for (const [, parts] of taken) for (const { drop } of parts) if (drop !== '') await client.query(drop)
}

const toCopy = (table: string) => ({
  table,
  name: table,
  drop: '',
  statement: `select truncate_local_data_after_distributing_table('${table}')`,
})

async function listForeignKeys(client: Connection): Promise<(Part & { drop: string })[]> {
  const { rows } = await client.query<Part & { drop: string }>(
    `select conrelid::regclass::text as "table", conname::text as name,
            format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
       and conrelid in (select oid from pg_class where relkind = 'r') order by 1, 2`,
  )
  return rows
}

async function listTriggers(client: Connection): Promise<(Part & { drop: string })[]> {
  const { rows } = await client.query<Part & { drop: string }>(
    `select c.oid::regclass::text as "table", t.tgname::text as name,
            format('drop trigger %I on %s', t.tgname, c.oid::regclass) as drop, pg_get_triggerdef(t.oid) as statement
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  return rows
}

/** Does what is left to do of a kind, and says of each that it is done. */
export async function putTogether(client: Connection, kind: Kind): Promise<void> {
  const { rows } = await client.query<{ number: string; statement: string }>(
    `select number, statement from ${TAKEN_APART} where kind = $1 order by number`,
    [kind],
  )
  for (const { number, statement } of rows) {
    await client.query(statement)
    // one that ends here is put back, and taken away with all others by the next move
    await client.query(`delete from ${TAKEN_APART} where number = $1`, [number])
  }
}

/** Everything stands again. @throws Error when something does not */
export async function forgetTakenApart(client: Connection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select of_table || '.' || name as name from ${TAKEN_APART}`)
  if (rows.length > 0) throw new Error(`not put back yet: ${rows.map(({ name }) => name).join(', ')}`)
  await client.query(`drop table ${TAKEN_APART}`)
}
