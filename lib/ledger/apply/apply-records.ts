import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { createStageWriter, type Stage, type StagedColumn, stageRecords } from '../sql/stage-records.ts'

export type ApplyTable<Item> = {
  table: 'line' | 'invoice' | 'profile'
  /** The key within a connection. */
  key: string
  keyOf: (item: Item) => string
  /** A row is rewritten when one of these differs from what is stored. */
  compared: string[]
  columns: StagedColumn<Item>[]
}

/**
 * The part of the whole under which a record is counted. `isNew`: the ledger has probably no record
 * of this key, so that a look-up is not worth it; a wrong word costs time, nothing else.
 */
type RecordMark = { part: number; isNew?: boolean }
export type RecordOfPart<Item> = RecordMark & { item: Item }
/** What was written of a part; the rest of it is stored as it came. */
export type WrittenOfPart = { part: number; inserted: number; updated: number }

export type ApplyTarget<Item> = ApplyTable<Item> & { statement: string; stage: Stage<Item, RecordMark> }

/** A table to apply records to, with its statement and its stage. */
export function toApplyTarget<Item>(table: ApplyTable<Item>): ApplyTarget<Item> {
  const part = { name: 'part', type: 'integer', value: (_item: Item, mark: RecordMark) => mark.part }
  const isNew = { name: 'is_new', type: 'boolean', value: (_item: Item, mark: RecordMark) => mark.isNew === true }
  return {
    ...table,
    statement: toApplyStatement(table),
    stage: { table: stageName(table), columns: [...table.columns, part, isNew] },
  }
}

function stageName<Item>({ table }: ApplyTable<Item>): string {
  return `staged_${table}`
}

/**
 * Makes the SQL that brings staged records into their table in one statement. Those that are stored
 * unchanged are left out before anything is written, so that a second sync writes nothing.
 */
function toApplyStatement<Item>(target: ApplyTable<Item>): string {
  const { table, key, compared, columns } = target
  const names = columns.map(({ name }) => name)
  // a row that was marked as missing and is met again is written, if only to unmark it
  const marked = table === 'profile' ? [] : ['missing_since']
  const isChanged = (left: string, right: string) =>
    [
      ...compared.map((name) => `${left}.${name} is distinct from ${right}.${name}`),
      ...marked.map((name) => `${left}.${name} is not null`),
    ].join(' or ')
  return `
    with written as (
      insert into ${table} as stored (organization_id, connection_id, ${names.join(', ')})
      select $1::uuid, $2::uuid, ${names.map((name) => `i.${name}`).join(', ')}
      from pg_temp.${stageName(target)} i
      -- one look-up by key per record, whatever the planner believes about a table that has just begun to fill
      left join lateral (select ${[...compared, ...marked].join(', ')}, true as is_stored from ${table} s
                         where not i.is_new and s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.${key} = i.${key} limit 1) s
        on true
      where s.is_stored is null or ${isChanged('s', 'i')}
      on conflict (organization_id, connection_id, ${key}) do update
        set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}${marked.map((name) => `, ${name} = null`).join('')},
            -- what the platform changed: neither a new version of the proof nor a mark
            changed_at = case when stored.content_hash is distinct from excluded.content_hash then now() else stored.changed_at end
        where ${isChanged('stored', 'excluded')}
      -- a row version that nothing has replaced has no xmax: it is new
      returning ${key}, xmax = 0 as is_new)
    select i.part, count(*) filter (where w.is_new)::int as inserted, count(*) filter (where not w.is_new)::int as updated
    from written w join pg_temp.${stageName(target)} i on i.${key} = w.${key} group by i.part`
}

/** Records as they go to the database, made before the transaction that brings them in. */
export type PackedRecords = { count: number; staged: Buffer[] }

/**
 * Packs records one by one. `add` throws when a key comes twice: the caller decides which counts,
 * not the order of a list.
 */
export type Packer<Item, Packed> = { add: (record: RecordOfPart<Item>) => void; end: () => Packed }

export function createPacker<Item>(target: ApplyTarget<Item>): Packer<Item, PackedRecords> {
  const writer = createStageWriter(target.stage)
  const keys = new Set<string>()
  return {
    add: (record) => {
      const count = keys.size
      if (keys.add(target.keyOf(record.item)).size === count)
        throw new Error(`A key comes twice among the records for ${target.table}.`)
      writer.add(record.item, record)
    },
    end: () => ({ count: keys.size, staged: writer.end() }),
  }
}

/**
 * Brings records into their table: new ones are inserted, changed ones rewritten (`changed_at`
 * moves), unchanged ones are not touched.
 * @returns what was written of each part; parts of which nothing was written are not listed.
 */
export async function applyRecords<Item>(
  sql: Sql,
  target: ApplyTarget<Item>,
  owner: { organizationId: OrganizationId; connectionId: ConnectionId },
  { count, staged }: PackedRecords,
): Promise<WrittenOfPart[]> {
  if (count === 0) return []
  await stageRecords(sql, target.stage, staged)
  return sql<WrittenOfPart>(target.statement, [owner.organizationId, owner.connectionId])
}
