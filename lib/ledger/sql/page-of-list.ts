import type { Sql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import type { Beside, RowKey } from '../query/list-query.ts'
import { type SortKey, toSide, writeOrder } from './sql-order.ts'
import type { SqlParameters } from './sql-parameters.ts'

/** A list's records, and how one is found by its key. */
export type ListSource = {
  /** FROM and WHERE of one record, with the columns of the order. */
  one: (organizationId: string, connectionId: string, id: string) => string
  /** The columns of a record's key. */
  connectionId: string
  id: string
}

/** SQL of one page of a list. */
export type PageSql = {
  /** A common table (`name as (…)`) that the rest may need. */
  commonTables: string[]
  /** A condition on the page's records, to add to the list's own. */
  condition: string
  /** ORDER BY and LIMIT that pick the page's records; the last of them may come first. */
  pick: string
  /** ORDER BY of the records that they are picked from. */
  pickOrder: string
  /** ORDER BY of the picked records. */
  order: string
  /** A condition on the records before the page, whose count is its place; null if it is known. */
  isBefore: string | null
  /** The page's place, given the count of the records before it and of those that were picked. */
  toPlace: (before: number, picked: number, all: number) => number
}

/** Records at the beginning of a list that are counted without being read. */
export type Jump = {
  /** A common table with one row, or none; the two below read it. */
  commonTable: string
  /** A condition on the records behind them. */
  condition: string
  /** SQL: how many they are. */
  count: string
}

type PageQuery = { page: number; pageSize: number; beside: Beside | null }

/**
 * Where a page begins: right after or before a record, wherever that now is, or by its number. From
 * a record on, the database reads the page's rows alone, however far down the list it is; by its
 * number those before it too, except for those of the jump.
 */
export function toPage(
  source: ListSource,
  key: SortKey,
  organizationId: OrganizationId,
  { page, pageSize, beside }: PageQuery,
  parameters: SqlParameters,
  jump: Jump | null = null,
): PageSql {
  const order = writeOrder(key)
  const limit = `limit ${parameters.add(pageSize)}`
  if (beside === null) {
    const skipped = (page - 1) * pageSize
    const [commonTables, condition] = jump === null ? [[], 'true'] : [[jump.commonTable], jump.condition]
    const pick = `order by ${order} ${limit} offset ${parameters.add(skipped)}::bigint - ${jump?.count ?? 0}`
    const toPlace = () => skipped
    return { commonTables, condition, pick, pickOrder: order, order, isBefore: null, toPlace }
  }
  const pickOrder = writeOrder(key, { isReversed: beside.side === 'before' })
  const pick = `order by ${pickOrder} ${limit}`
  if (beside.row === null) {
    const toPlace = (_before: number, picked: number, all: number) => all - picked
    return { commonTables: [], condition: 'true', pick, pickOrder, order, isBefore: null, toPlace }
  }
  const values = key.map(({ sql }, at) => `${sql} as k${at}`).join(', ')
  const toValue = (at: number) => `(select k${at} from beside)`
  const [connectionId, id] = [parameters.add(beside.row.connectionId), parameters.add(beside.row.id)]
  const one = source.one(parameters.add(organizationId), `${connectionId}::uuid`, id)
  const isBefore = toSide(key, 'before', toValue)
  const isRow = `(${source.connectionId} = ${connectionId}::uuid and ${source.id} = ${id})`
  return {
    commonTables: [`beside as materialized (select ${values} from ${one})`],
    condition: toSide(key, beside.side, toValue),
    pick,
    pickOrder,
    order,
    isBefore: beside.side === 'after' ? `(${isBefore} or ${isRow})` : isBefore,
    toPlace: (before, picked) => (beside.side === 'after' ? before : before - picked),
  }
}

/** The query, from its first page if the record beside its page is no longer there. */
export async function withPlace<Query extends PageQuery>(
  sql: Sql,
  source: ListSource,
  organizationId: OrganizationId,
  query: Query,
): Promise<Query> {
  const row: RowKey | null = query.beside?.row ?? null
  if (row === null) return query
  if (!isUuid(row.connectionId)) return { ...query, page: 1, beside: null }
  const known = await sql(`select from ${source.one('$1', '$2::uuid', '$3')}`, [
    organizationId,
    row.connectionId,
    row.id,
  ])
  return known.length > 0 ? query : { ...query, page: 1, beside: null }
}
