import { toTripLabel } from '../conditions/group-key-columns.ts'
import { type LineSource, TRIPS_BY_MONTH } from '../conditions/line-source.ts'
import type { GroupQuery, GroupSortKey } from '../query/group-query.ts'
import type { Sort } from '../query/search-params.ts'
import { toOrder } from '../sql/sql-order.ts'

/** `groups` counts them all; `rows` are one page, in order. */
export type GroupsQuery = { commonTables: string; rows: string; groups: string }

const ROLLUP = 'trip_rollup'

/** Whether its rows are sums of trips. */
export function hasTrips({ name }: LineSource): boolean {
  return name === ROLLUP || name === TRIPS_BY_MONTH
}

/**
 * SQL for a page of trips, under `page`'s limit and offset. There may be a few hundred thousand: by
 * name those of the roll-up are found in the index, and sums are made for the page's trips alone.
 * @param count SQL that counts them
 */
export function toTripGroups(
  source: LineSource,
  conditions: string,
  query: GroupQuery,
  page: string,
  count: string,
): GroupsQuery {
  const isByName = query.sort.key === 'key' && source.name === ROLLUP
  return {
    commonTables: `shown as materialized (${isByName ? toNamedTrips(source, conditions, query, page) : toGroupedTrips(source, conditions, query, page)})`,
    rows: toShownTrips(source, conditions),
    groups: count,
  }
}

/** Of a trip in several currencies or accounts, the row with the latest name stands for it. */
function toNamedTrips({ from }: LineSource, conditions: string, { sort }: GroupQuery, page: string): string {
  const order = toNameOrder(sort, 'g.dated_label', 'g.trip_id')
  const toLater = (isSameTrip: string) => `
    select from ${from} where ${conditions} and ${isSameTrip}
      and (coalesce(l.dated_label, ''), l.connection_id, l.cell) > (coalesce(g.dated_label, ''), g.connection_id, g.cell)`
  return `
    select g.trip_id as value, row_number() over (order by ${order}) as place
    from (select * from ${from} where ${conditions}) g
    where not exists (${toLater('l.trip_id = g.trip_id')})
      and (g.trip_id is not null or not exists (${toLater('l.trip_id is null')}))
    order by ${order} ${page}`
}

/** In an order that no index has: looks at each trip once. */
function toGroupedTrips(source: LineSource, conditions: string, query: GroupQuery, page: string): string {
  const { sort } = query
  const order = sort.key === 'key' ? toNameOrder(sort, 'g.figure', 'g.value') : toFigureOrder(sort)
  const trips = `select l.trip_id as value, ${toFigure(sort)} as figure from ${source.from} where ${conditions}
                 group by ${toTripKey(source, query)}`
  return `
    select g.value, row_number() over (order by ${order}) as place
    from (select g.* from (${trips}) g order by ${order} ${page}) g`
}

/** With the vertical, if it is one: an index has the trips of each in this order. */
function toTripKey({ name }: LineSource, { verticals }: GroupQuery): string {
  return name === TRIPS_BY_MONTH && verticals.length === 1 ? 'l.related_vertical, l.trip_id' : 'l.trip_id'
}

/** SQL for the trips that are `shown`. */
function toShownTrips({ from }: LineSource, conditions: string): string {
  return `
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
    order by g.place`
}

/** SQL that counts the trips of these rows. */
export function toTripCount(source: LineSource, conditions: string, query: GroupQuery): string {
  return `select count(*)::int as count from (
            select from ${source.from} where ${conditions} group by ${toTripKey(source, query)}) g`
}

/**
 * SQL that counts all trips of the organization. Each account's number is kept; only accounts that
 * might have a trip in common need another look.
 */
export function toAllTripsCount(
  source: LineSource,
  conditions: string,
  query: GroupQuery,
  organization: string,
): string {
  const tallies = `from connection_tally where organization_id = ${organization}::uuid and trip_count > 0`
  return `select case when (select count(*) ${tallies}) > 1 then (${toTripCount(source, conditions, query)})
            else (select coalesce(sum(trip_count), 0)::int ${tallies}) end as count`
}

/** As the index trip_rollup_by_label has it: the beginning of a trip's name, else of its id. */
function toNameOrder({ descending }: Sort<GroupSortKey>, datedLabel: string, id: string): string {
  const name = `left(coalesce(${toTripLabel(datedLabel)}, ${id}), 100)`
  return toOrder([{ sql: name, isNullable: true }], descending, [`${id} nulls last`])
}

function toFigureOrder({ descending }: Sort<GroupSortKey>): string {
  return toOrder([{ sql: 'g.figure', isNullable: true }], descending, ['g.value nulls last'])
}

/** What trips are ordered by. */
function toFigure({ key }: Sort<GroupSortKey>): string {
  if (key === 'key') return 'max(l.dated_label)'
  if (key === 'lines') return 'sum(l.line_count)'
  if (key === 'findings') return 'sum(l.line_states)'
  return 'sum(l.total_amount) filter (where l.currency = (select currency from main_currency))'
}
