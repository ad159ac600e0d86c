import type { Sql } from '../db/tenant.ts'
import type { ApplyCounts } from './records-to-apply.ts'

/** One column of a table: its PostgreSQL type, and the value it takes from a record. */
export type ApplyColumn<Item> = { name: string; type: string; value: (item: Item) => unknown }

export type ApplyTable<Item> = {
  table: 'line' | 'invoice' | 'profile'
  /** The key within a connection. */
  key: string
  keyOf: (item: Item) => string
  /** A row is rewritten when one of these differs from what is stored. */
  compared: string[]
  columns: ApplyColumn<Item>[]
}

/**
 * Makes the SQL that brings records into a table in one statement. The records come as one JSON document; those that are
 * stored unchanged are left out before anything is written, so that a second sync writes nothing. `raw` travels as text
 * inside that document and is cast, which keeps it byte for byte.
 */
export function toApplyStatement<Item>({ table, key, compared, columns }: ApplyTable<Item>): string {
  const names = columns.map(({ name }) => name)
  const recordset = columns.map(({ name, type }) => `${name} ${type === 'json' ? 'text' : type}`)
  const values = columns.map(({ name, type }) => (type === 'json' ? `i.${name}::json` : `i.${name}`))
  // a row that was marked as missing and is met again is written, if only to unmark it
  const marked = table === 'profile' ? [] : ['missing_since']
  const isChanged = (left: string, right: string) =>
    [
      ...compared.map((name) => `${left}.${name} is distinct from ${right}.${name}`),
      ...marked.map((name) => `${left}.${name} is not null`),
    ].join(' or ')
  return `
    with incoming as materialized (select * from json_to_recordset($3::json) as x (${recordset.join(', ')})),
    written as (
      insert into ${table} as stored (organization_id, connection_id, ${names.join(', ')})
      select $1::uuid, $2::uuid, ${values.join(', ')}
      from incoming i
      -- one look-up by key per record, whatever the planner believes about a table that has just begun to fill
      left join lateral (select ${[...compared, ...marked].join(', ')}, true as is_stored from ${table} s
                         where s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.${key} = i.${key} limit 1) s
        on true
      where s.is_stored is null or ${isChanged('s', 'i')}
      on conflict (organization_id, connection_id, ${key}) do update
        set ${[...names, ...marked].map((name) => `${name} = excluded.${name}`).join(', ')},
            -- what the platform changed: neither a new version of the proof nor a mark
            changed_at = case when stored.content_hash is distinct from excluded.content_hash then now() else stored.changed_at end
        where ${isChanged('stored', 'excluded')}
      -- a row version that nothing has replaced has no xmax: it is new
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as inserted, count(*) filter (where not is_new)::int as updated from written`
}

/**
 * Brings records into their table: new ones are inserted, changed ones rewritten (`changed_at` moves), unchanged ones are
 * not touched. The counts add up to the records given.
 * @throws Error when a key comes twice: the caller decides which of the two counts, not the order of a list.
 */
export async function applyRecords<Item>(
  sql: Sql,
  target: ApplyTable<Item> & { statement: string },
  owner: { organizationId: string; connectionId: string },
  items: readonly Item[],
): Promise<ApplyCounts> {
  if (items.length === 0) return { inserted: 0, updated: 0, unchanged: 0 }
  if (new Set(items.map(target.keyOf)).size !== items.length)
    throw new Error(`A key comes twice among the records for ${target.table}.`)
  const document = JSON.stringify(
    items.map((item) => Object.fromEntries(target.columns.map(({ name, value }) => [name, value(item)]))),
  )
  const [written] = await sql<{ inserted: number; updated: number }>(target.statement, [
    owner.organizationId,
    owner.connectionId,
    document,
  ])
  const { inserted, updated } = written as { inserted: number; updated: number }
  return { inserted, updated, unchanged: items.length - inserted - updated }
}
