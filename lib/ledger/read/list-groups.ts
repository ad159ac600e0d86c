import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { GROUP_COLUMNS, TRIP_LABEL_MAX, toTripLabel } from '../conditions/group-key-columns.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import type { CurrencyTotal, GroupList, GroupTotal } from '../model.ts'
import type { GroupQuery, GroupSortKey } from '../query/group-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { countTotalled, toAllCountQuery, toTotalsQuery } from './line-totals.ts'

type StoredGroup = {
  value: string | null
  label: string | null
  lineCount: number
  findingCount: number
  totals: GroupTotal[]
}

const SORT_COLUMNS: Record<GroupSortKey, SortColumn[]> = {
  key: [{ sql: 'coalesce(g.label, g.value)', isNullable: true }],
  lines: [{ sql: 'g.line_count', isNullable: false }],
  findings: [{ sql: 'g.finding_count', isNullable: false }],
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
  const column = GROUP_COLUMNS[key]
  const label = key === 'trip' ? TRIP_LABEL_MAX : 'null::text'
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  const order = toOrder(SORT_COLUMNS[query.sort.key], query.sort.descending, ['g.value nulls last'])
  const limit = parameters.add(query.pageSize)
  const offset = parameters.add((query.page - 1) * query.pageSize)
  const commonTables = `
    with part as materialized (
      select ${column} as value, l.currency, count(*) as line_count, sum(l.total_amount) as total_amount,
             sum(l.finding_count) as finding_count, ${label} as dated_label
      from line l where ${conditions} group by 1, 2),
    main_currency as (select currency from part group by currency order by sum(line_count) desc, currency limit 1),
    grouped as (
      select value, sum(line_count) as line_count, sum(finding_count) as finding_count,
             ${toTripLabel('max(dated_label)')} as label,
             max(total_amount) filter (where currency = (select currency from main_currency)) as main_total
      from part group by value),
    shown as materialized (select * from grouped g order by ${order} limit ${limit} offset ${offset})`
  const { rows, totals, groups, all } = await withTenantSql(organizationId, (sql) =>
    selectTogether<{
      rows: StoredGroup[]
      totals: CurrencyTotal[]
      groups: { count: number }[]
      all: { count: number }[]
    }>(
      sql,
      {
        rows: `select g.value, g.label, g.line_count::int as "lineCount", g.finding_count::int as "findingCount", t.totals
               from shown g
               join (select ${toComparable('p.value')} as value,
                       json_agg(json_build_object('currency', p.currency, 'totalAmount', p.total_amount::text,
                                                  'lineCount', p.line_count) order by p.currency) as totals
                     from part p where ${toComparable('p.value')} in (select ${toComparable('value')} from shown) group by 1) t
                 on t.value = ${toComparable('g.value')}
               order by ${order}`,
        totals: toTotalsQuery(conditions),
        groups: 'select count(*)::int as count from grouped',
        all: toAllCountQuery(organizationId, query, parameters),
      },
      parameters.values,
      commonTables,
    ),
  )
  const lineCount = countTotalled(totals)
  const groupCount = groups[0]?.count ?? 0
  return {
    rows: rows.map(({ value, label, ...row }) => ({
      values: [{ key, value, label }],
      ...row,
      hasFailure: row.findingCount > 0,
    })),
    groupCount,
    lineCount,
    allLineCount: all[0]?.count ?? lineCount,
    totals,
    page: query.page,
    pageCount: Math.max(1, Math.ceil(groupCount / query.pageSize)),
  }
}
