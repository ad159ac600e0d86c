import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { StateCounts } from '#lib/reconcile/verdict.ts'
import { GROUP_COLUMNS, toTripLabel } from '../conditions/group-key-columns.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, type LineSource } from '../conditions/line-source.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import type { GroupList, GroupTotal, LineTotal } from '../model.ts'
import type { GroupQuery, GroupSortKey } from '../query/group-query.ts'
import { hasLineFilters } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { countTotalled, toAllCountQuery, toTotalsQuery } from './line-totals.ts'
import { type GroupsQuery, toAllTripsCount, toTripCount, toTripGroups } from './trip-groups.ts'

type StoredGroup = {
  value: string | null
  label: string | null
  lineCount: number
  findingCount: number
  lineStates: StateCounts
  totals: GroupTotal[]
}

const SORT_COLUMNS: Record<GroupSortKey, SortColumn[]> = {
  key: [{ sql: 'coalesce(g.label, g.value)', isNullable: true }],
  lines: [{ sql: 'g.line_count', isNullable: false }],
  findings: [{ sql: 'g.line_states', isNullable: false }],
  total: [{ sql: 'g.main_total', isNullable: true }],
}

/** A group's value for `=`: null, the unknown group, equals itself and nothing else. */
const toComparable = (value: string) => `coalesce('=' || ${value}, '')`

/**
 * One page of the first level's groups of the filtered lines, with a total per currency each, read
 * at one moment.
 */
export async function listGroups(organizationId: OrganizationId, query: GroupQuery): Promise<GroupList> {
  const key: GroupKey = query.by[0] ?? 'trip'
  const source = chooseLineSource(query, [GROUP_COLUMNS[key]])
  const parameters = createSqlParameters()
  const page = `limit ${parameters.add(query.pageSize)} offset ${parameters.add((query.page - 1) * query.pageSize)}`
  const { rows, totals, groups, all } = await withTenantSnapshot(organizationId, async (sql) => {
    const found = await findInvoicesOfText(sql, organizationId, query)
    const conditions = toLineConditions(organizationId, query, parameters, source, found)
    const { commonTables, ...queries } =
      source.name === 'trip_rollup'
        ? toTripGroups(
            source,
            conditions,
            query.sort,
            page,
            hasLineFilters(query)
              ? toTripCount(source, conditions)
              : toAllTripsCount(source, conditions, parameters.add(organizationId)),
          )
        : toGroups(source, key, conditions, query.sort, page)
    return selectTogether<{
      rows: StoredGroup[]
      totals: LineTotal[]
      groups: { count: number }[]
      all: { count: number }[]
    }>(
      sql,
      { ...queries, totals: 'select * from totals', all: toAllCountQuery(organizationId, query, parameters) },
      parameters.values,
      `with totals as materialized (${toTotalsQuery(organizationId, query, parameters, found)}),
         main_currency as (select currency from totals order by "lineCount" desc, currency limit 1),
         ${commonTables}`,
    )
  })
  const lineCount = countTotalled(totals)
  const groupCount = groups[0]?.count ?? 0
  return {
    rows: rows.map(({ value, label, ...row }) => ({
      values: [{ key, value, label }],
      ...row,
    })),
    groupCount,
    lineCount,
    allLineCount: all[0]?.count ?? lineCount,
    totals,
    page: query.page,
    pageCount: Math.max(1, Math.ceil(groupCount / query.pageSize)),
  }
}

/** SQL for a page of groups, from sums of each group and currency. */
function toGroups(
  source: LineSource,
  key: GroupKey,
  conditions: string,
  sort: GroupQuery['sort'],
  page: string,
): GroupsQuery {
  const order = toOrder(SORT_COLUMNS[sort.key], sort.descending, ['g.value nulls last'])
  const label = key === 'trip' ? source.datedLabel : 'null::text'
  return {
    commonTables: `
      part as materialized (
        select l.${GROUP_COLUMNS[key]} as value, l.currency, ${source.lineCount} as line_count, sum(l.total_amount) as total_amount,
               sum(l.finding_count) as finding_count, ${source.lineStates} as line_states, ${label} as dated_label
        from ${source.from} where ${conditions} group by 1, 2 ${source.having}),
      grouped as (
        select value, sum(line_count) as line_count, sum(finding_count) as finding_count,
               sum(line_states) as line_states, ${toTripLabel('max(dated_label)')} as label,
               max(total_amount) filter (where currency = (select currency from main_currency)) as main_total
        from part group by value),
      shown as materialized (select * from grouped g order by ${order} ${page})`,
    rows: `select g.value, g.label, g.line_count::int as "lineCount", g.finding_count::int as "findingCount",
             unpack_states(g.line_states) as "lineStates", t.totals
           from shown g
           join (select ${toComparable('p.value')} as value,
                   json_agg(json_build_object('currency', p.currency, 'totalAmount', p.total_amount::text,
                                              'lineCount', p.line_count) order by p.currency) as totals
                 from part p where ${toComparable('p.value')} in (select ${toComparable('value')} from shown) group by 1) t
             on t.value = ${toComparable('g.value')}
           order by ${order}`,
    groups: 'select count(*)::int as count from grouped',
  }
}
