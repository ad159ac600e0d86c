import type { Stage, StagedColumn } from '../sql/staged-rows.ts'

export type ApplyTable<Item> = {
  table: 'line' | 'invoice' | 'profile'
  /** The key within a connection. */
  key: string
  keyOf: (item: Item) => string
  /** The SHA-256 (hex) of the text as stored, where rejected records are found by it. */
  textHashOf?: (item: Item) => string
  /** Names that people read: how those look that are not written plainly is noted. */
  namesOf?: (item: Item) => string[]
  /** A row is rewritten when one of these differs from what is stored. */
  compared: string[]
  columns: StagedColumn<Item>[]
  /** A table of its own for a text that few readers need; `key` names the record in it. */
  apart?: { table: 'line_payload'; key: string; column: string; textOf: (item: Item) => string }
}
type Apart<Item> = NonNullable<ApplyTable<Item>['apart']>

/**
 * `insertion` writes records of which none is stored, and fails when one is; `statement` and
 * `apartStatement` write any records.
 */
export type ApplyTarget<Item> = ApplyTable<Item> & {
  insertion: string
  statement: string
  apartStatement: string | null
  stage: Stage<Item>
  apartStage: Stage<Item> | null
}

/** A table to write records to, with its statements and stage. */
export function toApplyTarget<Item>(table: ApplyTable<Item>): ApplyTarget<Item> {
  return {
    ...table,
    insertion: toInsertion(table),
    statement: toApplyStatement(table),
    apartStatement: table.apart === undefined ? null : toApartStatement(table.apart),
    stage: { table: stageName(table), columns: table.columns, isMarked: true },
    apartStage: table.apart === undefined ? null : toApartStage(table.apart, table.keyOf),
  }
}

/** A stage of its own, so that long texts travel in COPY's binary form. */
function toApartStage<Item>(apart: Apart<Item>, keyOf: (item: Item) => string): Stage<Item> {
  const columns = [
    { name: apart.key, type: 'text', value: keyOf },
    { name: apart.column, type: 'text', value: apart.textOf },
  ]
  return { table: stageName(apart), columns, isBinary: true }
}

function stageName({ table }: { table: string }): string {
  return `staged_${table}`
}

/**
 * SQL that adds the staged records to their tables. It looks up no key: that is a tenth of the
 * work. It gives rows back, if only the number 1: a cluster then sends a stage to the node of the
 * rows, and else copies them in, which no role under policies may (decision 067).
 */
function toInsertion<Item>(target: ApplyTable<Item>): string {
  const { table, columns, apart } = target
  const insert = (into: string, names: string[], stage: string) => `
      insert into ${into} (organization_id, connection_id, ${names.join(', ')})
      select $1::uuid, $2::uuid, ${names.join(', ')} from pg_temp.${stage} returning 1`
  const names = columns.map(({ name }) => name)
  const alsoApart =
    apart === undefined ? '' : `, kept_apart as (${insert(apart.table, [apart.key, apart.column], stageName(apart))})`
  return `
    with written as (${insert(table, names, stageName(target))})${alsoApart}
    select part, count(*)::int as inserted, 0 as updated from pg_temp.${stageName(target)} group by part`
}

/** SQL that brings what is kept apart into its own table. */
function toApartStatement<Item>(apart: Apart<Item>): string {
  const { table, key, column } = apart
  return `
    insert into ${table} as stored (organization_id, connection_id, ${key}, ${column})
    select $1::uuid, $2::uuid, ${key}, ${column} from pg_temp.${stageName(apart)}
    on conflict (organization_id, connection_id, ${key}) do update set ${column} = excluded.${column}
      where stored.${column} <> excluded.${column}`
}

/**
 * SQL that writes the staged records to their table in one statement. Filters out unchanged ones
 * before anything is written: a second sync writes nothing. The stage is a materialized common
 * table, since a cluster joins no temporary table to one of its own.
 */
function toApplyStatement<Item>(target: ApplyTable<Item>): string {
  const { table, key, compared, columns } = target
  const names = columns.map(({ name }) => name)
  const staged = names.map((name) => `i.${name}`).join(', ')
  // a row marked as missing that is met again is written, if only to unmark it
  const marked = table === 'profile' ? [] : ['missing_since']
  // an invoice that comes back brings lines that were marked with it
  const news =
    table === 'invoice'
      ? `, news_at = case when stored.content_hash is distinct from excluded.content_hash or stored.missing_since is not null
                    then excluded.news_at else stored.news_at end`
      : ''
  const isChanged = (left: string, right: string) =>
    [
      ...compared.map((name) => `${left}.${name} is distinct from ${right}.${name}`),
      ...marked.map((name) => `${left}.${name} is not null`),
    ].join(' or ')
  return `
    with i as materialized (select * from pg_temp.${stageName(target)}),
    written as (
      insert into ${table} as stored (organization_id, connection_id, ${names.join(', ')})
      select $1::uuid, $2::uuid, ${staged}
      from i
      -- one look-up by key per record, whatever the planner assumes about a table just starting to
      -- fill
      left join lateral (select ${[...compared, ...marked].join(', ')}, true as is_stored from ${table} s
                         where not i.is_new and s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.${key} = i.${key} limit 1) s
        on true
      where s.is_stored is null or ${isChanged('s', 'i')}
      on conflict (organization_id, connection_id, ${key}) do update
        set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}${marked.map((name) => `, ${name} = null`).join('')},
            -- when the platform changed it: a new proof version or a mark does not count
            changed_at = case when stored.content_hash is distinct from excluded.content_hash then excluded.changed_at else stored.changed_at end${news}
        where ${isChanged('stored', 'excluded')}
      -- a row version that replaced nothing has no xmax: it is new
      returning ${key}, xmax = 0 as is_new)
    select i.part, count(*) filter (where w.is_new)::int as inserted, count(*) filter (where not w.is_new)::int as updated
    from written w join i on i.${key} = w.${key} group by i.part`
}
