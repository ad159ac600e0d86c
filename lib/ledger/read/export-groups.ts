import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toDatedLabel, toGroupLabel, toKeyedRows } from '../conditions/group-key-columns.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { GroupQuery } from '../query/group-query.ts'
import { createSqlParameters, toOwnPlaceholder } from '../sql/sql-parameters.ts'
import { type CursorReader, openDerivedCursor, type RowCursor } from '../sql/tenant-cursor.ts'

/** Keys whose values are ids that have names. */
const NAMED_KEYS = ['trip', 'profile', 'connection'] as const satisfies GroupKey[]

type Names = Record<`${(typeof NAMED_KEYS)[number]}_name`, string | null>

/**
 * One innermost group in one currency; null = unknown. Keys the query does not group by are absent.
 * Counts are digits.
 */
export type GroupExportRow = Record<Exclude<GroupKey, 'tax_percentage'>, string | null> &
  Names & {
    tax_percentage: DecimalText | null
    currency: string
    lineCount: string
    totalAmount: DecimalText
    findingCount: string
  }

const BATCH_ROWS = 500

/**
 * All innermost groups of the filtered lines, one row per currency, read in batches. A line with
 * several values of a key is in the row of each. Ordered by the keys as the query nests them,
 * unknown last, then by currency.
 * @throws like `openTenantCursor`
 */
export function openGroupExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: GroupQuery,
): Promise<RowCursor<GroupExportRow>> {
  return openDerivedCursor<GroupExportRow, GroupExportRow>(
    organizationId,
    reader,
    {
      toQuery: async (sql) => toExportQuery(organizationId, await spellOut(sql, organizationId, query)),
      derive: async (_, rows) => rows,
    },
    BATCH_ROWS,
  )
}

function toExportQuery(organizationId: OrganizationId, query: GroupQuery) {
  const parameters = createSqlParameters()
  const own = toOwnPlaceholder(organizationId, parameters)
  const keys = query.by.map((key) => ({ key, ...toKeyedRows(key, query, parameters, own) }))
  const source = chooseLineSource(
    query,
    keys.flatMap(({ columns }) => columns),
  )
  const conditions = toLineConditions(organizationId, query, parameters, source)
  const values = keys.map(({ value }) => value).join(', ')
  const named = NAMED_KEYS.filter((key) => query.by.includes(key))
  // a trip has one name, however its lines are divided further
  const labels = named.map((key) => `${toDatedLabel(key, source)} as label_of_${key}`)
  const names = named.map((key) => {
    const latest = `max(g.label_of_${key}) over (partition by g."${key}")`
    return `${toGroupLabel(key, `g."${key}"`, latest, own)} as "${key}_name"`
  })
  const text = `
    select g.*${names.map((name) => `, ${name}`).join('')} from (
      select ${keys.map(({ key, value }) => `${value} as "${key}"`).join(', ')}, l.currency, ${labels.map((label) => `${label}, `).join('')}
        ${source.lineCount} as "lineCount", sum(l.total_amount)::text as "totalAmount", sum(l.finding_count) as "findingCount"
      from ${source.from} ${keys.map(({ join }) => join).join(' ')} where ${conditions}
      group by ${values}, l.currency ${source.having}) g
    order by ${keys.map(({ key }) => `g."${key}" nulls last`).join(', ')}, g.currency`
  return { text, values: parameters.values }
}
