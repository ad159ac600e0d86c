import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import type { StateCounts } from '#lib/reconcile/verdict.ts'
import { type KeyedRows, toDatedLabel, toGroupLabel, toKeyedRows, toKeyOrder } from '../conditions/group-key-columns.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import type { LineSource } from '../conditions/line-source.ts'
import { toMeasure } from '../conditions/measure-columns.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import { chooseMeasuredSource } from '../kept/month-sums/choose-measured-source.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { GroupList, GroupTotal, LineTotal } from '../model.ts'
import { type GroupQuery, type GroupSortKey, toSortCurrency } from '../query/group-query.ts'
import { hasLineFilters } from '../query/line-query.ts'
import type { Sort } from '../query/search-params.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters, type OwnPlaceholder, toOwnPlaceholder } from '../sql/sql-parameters.ts'
import { countTotalled, toAllCountQuery, toTotalsQuery } from './line-totals.ts'
import { type GroupsQuery, hasTrips, toAllTripsCount, toTripCount, toTripGroups } from './trip-groups.ts'

type StoredGroup = {
  value: string | null
  label: string | null
  lineCount: number
  findingCount: number
  lineStates: StateCounts
  totals: GroupTotal[]
}

const FIGURES = { lines: 'g.line_count', findings: 'g.line_states', total: 'g.main_total' } as const

/** What groups of a key are ordered by, first of all. */
function toSortColumns(key: GroupKey, { key: by }: Sort<GroupSortKey>): SortColumn[] {
  if (by === 'lines' || by === 'findings') return [{ sql: FIGURES[by], isNullable: false }]
  if (by !== 'key') return [{ sql: FIGURES.total, isNullable: true }]
  const value = toKeyOrder(key)
  return [{ sql: value === 'g.value' ? 'coalesce(g.label, g.value)' : value, isNullable: true }]
}

/** A group's value for `=`: null, the unknown group, equals itself and nothing else. */
const toComparable = (value: string) => `coalesce('=' || ${value}, '')`

/**
 * One page of the first level's groups of the filtered lines, with a total per currency each, read
 * at one moment.
 */
export function listGroups(organizationId: OrganizationId, query: GroupQuery): Promise<GroupList> {
  return withTenantSnapshot(organizationId, (sql) => readGroups(sql, organizationId, query))
}

/**
 * The same in the caller's snapshot.
 * @param measure what the groups' totals sum up
 */
export async function readGroups(
  sql: Sql,
  organizationId: OrganizationId,
  asked: GroupQuery,
  measure: Measure = 'total',
): Promise<GroupList> {
  const query = await spellOut(sql, organizationId, asked)
  const key: GroupKey = query.by[0] ?? 'trip'
  const parameters = createSqlParameters()
  const keyed = toKeyedRows(key, query, parameters, toOwnPlaceholder(organizationId, parameters))
  const source = await chooseMeasuredSource(sql, organizationId, query, keyed.columns, measure)
  const page = `limit ${parameters.add(query.pageSize)} offset ${parameters.add((query.page - 1) * query.pageSize)}`
  const found = await findInvoicesOfText(sql, organizationId, query)
  const conditions = toLineConditions(organizationId, query, parameters, source, found)
  const { commonTables, ...queries } =
    key === 'trip' && hasTrips(source) && measure === 'total'
      ? toTripGroups(
          source,
          conditions,
          query,
          page,
          hasLineFilters(query)
            ? toTripCount(source, conditions, query)
            : toAllTripsCount(source, conditions, query, parameters.add(organizationId)),
        )
      : toGroups(
          source,
          { key, keyed, measure, own: toOwnPlaceholder(organizationId, parameters) },
          conditions,
          query.sort,
          page,
        )
  const currency = toSortCurrency(query.sort)
  const { rows, totals, groups, all } = await selectTogether<{
    rows: StoredGroup[]
    totals: LineTotal[]
    groups: { count: number }[]
    all: { count: number }[]
  }>(
    sql,
    { ...queries, totals: 'select * from totals', all: toAllCountQuery(organizationId, query, parameters) },
    parameters.values,
    `with totals as materialized (${toTotalsQuery(organizationId, query, parameters, found)}),
         main_currency as (${
           currency === null
             ? 'select currency from totals order by "lineCount" desc, currency limit 1'
             : `select ${parameters.add(currency)}::text as currency`
         }),
         ${commonTables}`,
  )
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

type Grouped = { key: GroupKey; keyed: KeyedRows; measure: Measure; own: OwnPlaceholder }

/** SQL for a page of groups, from sums of each group and currency. */
function toGroups(
  source: LineSource,
  { key, keyed, measure, own }: Grouped,
  conditions: string,
  sort: GroupQuery['sort'],
  page: string,
): GroupsQuery {
  const order = toOrder(toSortColumns(key, sort), sort.descending, ['g.value nulls last'])
  const label = toDatedLabel(key, source)
  return {
    commonTables: `
      part as materialized (
        select ${keyed.value} as value, l.currency, ${source.lineCount} as line_count, ${toMeasure(measure, source, own)} as total_amount,
               sum(l.finding_count) as finding_count, ${source.toLineStates(own)} as line_states, ${label} as dated_label
        from ${source.from} ${keyed.join} where ${conditions} group by 1, 2 ${source.having}),
      grouped as (
        select value, sum(line_count) as line_count, sum(finding_count) as finding_count,
               sum(line_states) as line_states, ${toGroupLabel(key, 'value', 'max(dated_label)', own)} as label,
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
