import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { RecordField } from '#lib/reconcile/records.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { STORED_LINE_FIELDS } from '../fields/line-fields.ts'
import type { FilterOptions, TripOption } from '../model.ts'
import { INVOICE_FILTERS } from '../query/invoice-query.ts'
import { LINE_FILTERS } from '../query/line-query.ts'
import type { FilterTable } from '../query/list-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { toContainsPattern } from '../sql/sql-parameters.ts'

const MAX_FREQUENT = 200
const MAX_TRIPS = 20

/** A filter whose choices are a column's values; `name` is the column that names them. */
type StoredChoices = { key: string; column: string; name: string | null; isFrequent: boolean }

function listStored<Field extends string>(
  filters: FilterTable<Field>,
  fields: Record<Field, RecordField>,
): StoredChoices[] {
  return Object.entries(filters).flatMap(([key, { filter }]) => {
    if (filter?.of === undefined || (filter.choices !== undefined && filter.choices !== 'frequent')) return []
    const name = filter.nameOf === undefined ? null : fields[filter.nameOf].column
    return { key, column: fields[filter.of].column, name, isFrequent: filter.choices === 'frequent' }
  })
}

const OF_LINES = listStored(LINE_FILTERS, STORED_LINE_FIELDS)
const OF_INVOICES = new Map(listStored(INVOICE_FILTERS, STORED_INVOICE_FIELDS).map((stored) => [stored.key, stored]))

const COLUMNS = OF_LINES.map(({ column }) => column)
const NAMES = OF_LINES.flatMap(({ name }) => name ?? [])

/** One pass over the lines for all filters; each row of `found` is one value of one column. */
const FOUND = `
  with found as materialized (
    select grouping(${COLUMNS.join(', ')}) as missing, ${COLUMNS.join(', ')}, count(*) as line_count
           ${NAMES.map((name) => `, max(${name}) as ${name}`).join('')}
    from line where organization_id = $1::uuid and missing_since is null
    group by grouping sets (${COLUMNS.map((column) => `(${column})`).join(', ')}))`

/** grouping() sets a bit for each column a row is not about; the last column is the lowest bit. */
function toMissing(column: string): number {
  return 2 ** COLUMNS.length - 1 - 2 ** (COLUMNS.length - 1 - COLUMNS.indexOf(column))
}

function toQuery({ key, column, name, isFrequent }: StoredChoices): string {
  const mostFrequent = isFrequent ? `order by line_count desc, ${column} limit ${MAX_FREQUENT}` : ''
  const ofLines = `(select ${column} as value, ${name ?? 'null'} as name from found
                    where missing = ${toMissing(column)} ${mostFrequent})`
  const own = OF_INVOICES.get(key)
  const ofInvoices =
    own &&
    `select ${own.column}, ${own.name ?? 'null'} from invoice
                            where organization_id = $1::uuid and missing_since is null`
  const all = own ? `${ofLines} union all ${ofInvoices}` : ofLines
  return name === null
    ? `select value from (${all}) f group by value order by value nulls last`
    : `select value, max(name) as name from (${all}) f where value is not null
       group by value order by max(name) nulls last, value`
}

const QUERIES = {
  connections: `select id as value, name from connection where organization_id = $1::uuid order by name nulls last, id`,
  ...Object.fromEntries(OF_LINES.map((stored) => [stored.key, toQuery(stored)])),
} as Record<keyof FilterOptions, string>

/** The values each filter can take, from the stored lines and invoices. */
export function listFilterOptions(organizationId: OrganizationId): Promise<FilterOptions> {
  return withTenantSql(organizationId, (sql) => selectTogether<FilterOptions>(sql, QUERIES, [organizationId], FOUND))
}

/**
 * Up to 20 trips whose id or name contains the text, latest first; an empty text finds the latest
 * trips.
 */
export async function searchTrips(organizationId: OrganizationId, text: string): Promise<TripOption[]> {
  const searched = text.replaceAll('\0', '').slice(0, 200)
  return withTenantSql(organizationId, (sql) =>
    sql<TripOption>(
      `select l.trip_id as "tripId", substr(max(l.expense_date::text || ' ' || l.trip_name), 12) as "tripName"
       from line l
       where l.organization_id = $1 and l.missing_since is null and l.trip_id is not null and ($2 = '%%' or l.trip_id ilike $2 or l.trip_name ilike $2)
       group by l.trip_id order by max(l.expense_date) desc, l.trip_id limit ${MAX_TRIPS}`,
      [organizationId, toContainsPattern(searched)],
    ),
  )
}
