import { withTenantSql } from '../db/tenant.ts'
import type { FilterOptions, TripOption } from './model.ts'
import { selectTogether } from './select-together.ts'
import { toContainsPattern } from './sql-parameters.ts'

const MAX_COST_CENTERS = 200
const MAX_TRIPS = 20

/** One pass over the lines for all filters; each row of `found` is one value of one column. */
const FOUND = `
  with found as materialized (
    select grouping(l.currency, l.related_vertical, l.service, l.invoice_status, l.invoice_mode, l.profile_id,
                    l.cost_center) as missing,
           l.currency, l.related_vertical, l.service, l.invoice_status, l.invoice_mode, l.profile_id, l.cost_center,
           max(l.profile_name) as profile_name, count(*) as line_count
    from line l where l.organization_id = $1::uuid
    group by grouping sets ((l.currency), (l.related_vertical), (l.service), (l.invoice_status), (l.invoice_mode),
                            (l.profile_id), (l.cost_center)))`

/** grouping() sets a bit for each column that a row is not about; the last column is the lowest bit. */
const COLUMNS = [
  'currency',
  'related_vertical',
  'service',
  'invoice_status',
  'invoice_mode',
  'profile_id',
  'cost_center',
] as const

function toValuesQuery(column: (typeof COLUMNS)[number]): string {
  const allBits = 2 ** COLUMNS.length - 1
  const bit = 2 ** (COLUMNS.length - 1 - COLUMNS.indexOf(column))
  return `select ${column} as value, profile_name, line_count from found where missing = ${allBits - bit}`
}

const toSortedQuery = (column: (typeof COLUMNS)[number]) =>
  `select value from (${toValuesQuery(column)}) f order by value nulls last`

type Values = { value: string | null }[]

/** What each filter can be set to, from the lines and invoices that are there. */
export async function listFilterOptions(organizationId: string): Promise<FilterOptions> {
  const found = await withTenantSql(organizationId, (sql) =>
    selectTogether<{
      connections: FilterOptions['connections']
      currencies: { value: string }[]
      verticals: Values
      services: Values
      statuses: Values
      modes: Values
      profiles: FilterOptions['profiles']
      costCenters: Values
    }>(
      sql,
      {
        connections: `select id, name from connection where organization_id = $1::uuid order by name nulls last, id`,
        currencies: `select value from (${toValuesQuery('currency')}) f
                     union select currency from invoice where organization_id = $1::uuid order by value`,
        verticals: toSortedQuery('related_vertical'),
        services: toSortedQuery('service'),
        statuses: `select value from (${toValuesQuery('invoice_status')}) f
                   union select status from invoice where organization_id = $1::uuid order by value nulls last`,
        modes: `select value from (${toValuesQuery('invoice_mode')}) f
                union select mode from invoice where organization_id = $1::uuid order by value nulls last`,
        profiles: `select id, max(name) as name from (
                     select value as id, profile_name as name from (${toValuesQuery('profile_id')}) f where value is not null
                     union all select profile_id, profile_name from invoice
                       where organization_id = $1::uuid and profile_id is not null) p
                   group by id order by max(name) nulls last, id`,
        costCenters: `select value from (${toValuesQuery('cost_center')} order by line_count desc, value
                        limit ${MAX_COST_CENTERS}) f order by value nulls last`,
      },
      [organizationId],
      FOUND,
    ),
  )
  const toValues = (rows: Values) => rows.map(({ value }) => value)
  return {
    connections: found.connections,
    currencies: found.currencies.map(({ value }) => value),
    verticals: toValues(found.verticals),
    services: toValues(found.services),
    statuses: toValues(found.statuses),
    modes: toValues(found.modes),
    profiles: found.profiles,
    costCenters: toValues(found.costCenters),
  }
}

/** Up to 20 trips whose id or name contains the text, the latest first; an empty text finds the latest trips. */
export async function searchTrips(organizationId: string, text: string): Promise<TripOption[]> {
  const searched = text.replaceAll('\0', '').slice(0, 200)
  return withTenantSql(organizationId, (sql) =>
    sql<TripOption>(
      `select l.trip_id as "tripId", substr(max(l.expense_date::text || ' ' || l.trip_name), 12) as "tripName"
       from line l
       where l.organization_id = $1 and l.trip_id is not null and ($2 = '%%' or l.trip_id ilike $2 or l.trip_name ilike $2)
       group by l.trip_id order by max(l.expense_date) desc, l.trip_id limit ${MAX_TRIPS}`,
      [organizationId, toContainsPattern(searched)],
    ),
  )
}
