import { toTripLabel } from '../conditions/group-key-columns.ts'
import type { LineSource } from '../conditions/line-source.ts'
import type { GroupSortKey } from '../query/group-query.ts'
import type { Sort } from '../query/search-params.ts'
import { toOrder } from '../sql/sql-order.ts'

/** `groups` counts them all; `rows` are one page, in order. */
export type GroupsQuery = { commonTables: string; rows: string; groups: string }

/** As the index trip_rollup_by_label has it: the beginning of a trip's name, else of its id. */
const LABEL_OR_ID = `left(coalesce(${toTripLabel('g.dated_label')}, g.trip_id), 100)`

/**
 * SQL for a page of trips, under `page`'s limit and offset. There may be a few hundred thousand: by
 * name they are found in the index, and sums are made for the page's trips alone.
 */
export function toTripGroups(
  { from }: LineSource,
  conditions: string,
  sort: Sort<GroupSortKey>,
  page: string,
  count: string,
): GroupsQuery {
  const rows = `(select * from ${from} where ${conditions}) g`
  // of a trip in several currencies or accounts, the row with the latest name stands for it
  const toLater = (isSameTrip: string) => `
    select from ${from} where ${conditions} and ${isSameTrip}
      and (coalesce(l.dated_label, ''), l.connection_id, l.cell) > (coalesce(g.dated_label, ''), g.connection_id, g.cell)`
  const byName = `
    select g.trip_id as value, row_number() over (order by ${toNameOrder(sort)}) as place from ${rows}
    where not exists (${toLater('l.trip_id = g.trip_id')})
      and (g.trip_id is not null or not exists (${toLater('l.trip_id is null')}))
    order by ${toNameOrder(sort)} ${page}`
  const byFigure = `
    select value, row_number() over (order by ${toFigureOrder(sort)}) as place from (
      select g.trip_id as value, sum(g.line_count) as line_count, sum(g.line_states) as line_states,
             sum(g.total_amount) filter (where g.currency = (select currency from main_currency)) as main_total
      from ${rows} group by g.trip_id) g
    order by place ${page}`
  return {
    commonTables: `shown as materialized (${sort.key === 'key' ? byName : byFigure})`,
    rows: `
      select g.value, ${toTripLabel('t.dated_label')} as label, t.line_count::int as "lineCount",
             t.finding_count::int as "findingCount", unpack_states(t.line_states) as "lineStates", t.totals
      from shown g, lateral (
        select sum(line_count) as line_count, sum(finding_count) as finding_count, sum(line_states) as line_states,
               max(dated_label) as dated_label,
               json_agg(json_build_object('currency', currency, 'totalAmount', total_amount::text,
                                          'lineCount', line_count) order by currency) as totals
        from (select l.currency, sum(l.line_count) as line_count, sum(l.total_amount) as total_amount,
                     sum(l.finding_count) as finding_count, sum(l.line_states) as line_states, max(l.dated_label) as dated_label
              from ${from} where ${conditions} and (l.trip_id = g.value or (g.value is null and l.trip_id is null))
              group by l.currency) p) t
      order by g.place`,
    groups: count,
  }
}

/** SQL that counts the trips of these rows. */
export function toTripCount({ from }: LineSource, conditions: string): string {
  return `select count(*)::int as count from (select from ${from} where ${conditions} group by l.trip_id) g`
}

/**
 * SQL that counts all trips of the organization. Each account's number is kept; only accounts that
 * might have a trip in common need another look.
 */
export function toAllTripsCount(source: LineSource, conditions: string, organization: string): string {
  const tallies = `from connection_tally where organization_id = ${organization}::uuid and trip_count > 0`
  return `select case when (select count(*) ${tallies}) > 1 then (${toTripCount(source, conditions)})
            else (select coalesce(sum(trip_count), 0)::int ${tallies}) end as count`
}

function toNameOrder({ descending }: Sort<GroupSortKey>): string {
  return toOrder([{ sql: LABEL_OR_ID, isNullable: true }], descending, ['g.trip_id nulls last'])
}

function toFigureOrder({ key, descending }: Sort<GroupSortKey>): string {
  const figure = key === 'lines' ? 'g.line_count' : key === 'findings' ? 'g.line_states' : 'g.main_total'
  return toOrder([{ sql: figure, isNullable: true }], descending, ['g.value nulls last'])
}
