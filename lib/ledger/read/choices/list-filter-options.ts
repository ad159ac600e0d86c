import { withTenantSql } from '#lib/db/tenant.ts'
import type { RecordField } from '#lib/reconcile/records.ts'
import { chooseLineSource, type LineColumn } from '../../conditions/line-source.ts'
import { STORED_INVOICE_FIELDS } from '../../fields/invoice-fields.ts'
import { STORED_LINE_FIELDS } from '../../fields/line-fields.ts'
import type { FilterOptions } from '../../model.ts'
import { INVOICE_FILTERS } from '../../query/invoice-query.ts'
import { DEFAULT_LINE_QUERY, FOLDED_FILTERS, LINE_FILTERS, type NamesReader } from '../../query/line-query.ts'
import type { FilterTable } from '../../query/list-query.ts'
import { joinLook, toLook } from '../../sql/name-look.ts'
import { selectTogether } from '../../sql/select-together.ts'

const MAX_FREQUENT = 200

/** A filter whose choices are a column's values; `name` is the column that names them. */
type StoredChoices<Column extends string> = { key: string; column: Column; name: Column | null; isFrequent: boolean }

function listStored<Field extends string, Column extends string>(
  filters: FilterTable<Field>,
  fields: Record<Field, RecordField & { column: Column }>,
): StoredChoices<Column>[] {
  return Object.entries(filters).flatMap(([key, { filter }]) => {
    if (filter?.of === undefined || (filter.choices !== undefined && filter.choices !== 'frequent')) return []
    const name = filter.nameOf === undefined ? null : fields[filter.nameOf].column
    return { key, column: fields[filter.of].column, name, isFrequent: filter.choices === 'frequent' }
  })
}

const OF_LINES = listStored(LINE_FILTERS, STORED_LINE_FIELDS)
const OF_INVOICES = new Map(listStored(INVOICE_FILTERS, STORED_INVOICE_FIELDS).map((stored) => [stored.key, stored]))

const OWN_COLUMNS = [...OF_INVOICES.values()].flatMap(({ column }) => column)
const OWN_NAMES = [...OF_INVOICES.values()].flatMap(({ name }) => name ?? [])

const MAX_NAMES = OWN_NAMES.map((name) => `, max(${name}) as ${name}`).join('')

/**
 * One pass over the invoices for all filters; each row of `found` is one value of one column. Most
 * invoices have the same few values in all of them, so they are taken together first.
 */
const FOUND = `
  with alike as (
    select ${OWN_COLUMNS.join(', ')} ${MAX_NAMES}
    from invoice where organization_id = $1::uuid and missing_since is null group by ${OWN_COLUMNS.join(', ')}),
  found as materialized (
    select grouping(${OWN_COLUMNS.join(', ')}) as missing, ${OWN_COLUMNS.join(', ')} ${MAX_NAMES}
    from alike group by grouping sets (${OWN_COLUMNS.map((column) => `(${column})`).join(', ')}))`

/** grouping() sets a bit for each column a row is not about; the last column is the lowest bit. */
function toMissing(column: (typeof OWN_COLUMNS)[number]): number {
  return 2 ** OWN_COLUMNS.length - 1 - 2 ** (OWN_COLUMNS.length - 1 - OWN_COLUMNS.indexOf(column))
}

function toQuery({ key, column, name, isFrequent }: StoredChoices<LineColumn>, folds: boolean): string {
  const source = chooseLineSource(DEFAULT_LINE_QUERY, name === null ? [column] : [column, name])
  const mostFrequent = isFrequent ? `order by ${source.lineCount} desc, 1 limit ${MAX_FREQUENT}` : ''
  const ofLines = `(select l.${column} as value, ${name === null ? 'null' : `max(l.${name})`} as name from ${source.from}
                    where l.organization_id = $1::uuid and ${source.condition} group by 1 ${mostFrequent})`
  const own = OF_INVOICES.get(key)
  const ofInvoices =
    own && `select ${own.column}, ${own.name ?? 'null'} from found where missing = ${toMissing(own.column)}`
  const all = own ? `${ofLines} union all ${ofInvoices}` : ofLines
  if (folds && (FOLDED_FILTERS as readonly string[]).includes(key))
    return `select ${toLook('f.value', 'k')} as value from (${all}) f ${joinLook('$1::uuid', 'f.value', 'k')}
            group by 1 order by 1 nulls last`
  return name === null
    ? `select value from (${all}) f group by value order by value nulls last`
    : `select value, max(name) as name from (${all}) f where value is not null
       group by value order by max(name) nulls last, value`
}

const toQueries = (folds: boolean) =>
  ({
    connections: `select id as value, name from connection where organization_id = $1::uuid order by name nulls last, id`,
    ...Object.fromEntries(OF_LINES.map((stored) => [stored.key, toQuery(stored, folds)])),
  }) as Record<keyof FilterOptions, string>
const QUERIES = { asWritten: toQueries(false), asTheyLook: toQueries(true) }

/** The values each filter can take, from the stored lines and invoices. */
export function listFilterOptions({ organizationId, foldsNames }: NamesReader): Promise<FilterOptions> {
  const queries = QUERIES[foldsNames ? 'asTheyLook' : 'asWritten']
  return withTenantSql(organizationId, (sql) => selectTogether<FilterOptions>(sql, queries, [organizationId], FOUND))
}
