import type { RecordField } from '#lib/reconcile/records.ts'
import type { ComparedIn, FilterSpec, FilterTable, QueryOf } from '../query/list-query.ts'
import { type SqlParameters, toAnyBoolean, toAnyNumber, toAnyOf, toConnectionCondition } from '../sql/sql-parameters.ts'

/** How a field of a type is compared; all others are texts. */
const OF_TYPE: Partial<Record<RecordField['type'], typeof toAnyOf>> = {
  uuid: toConnectionCondition,
  numeric: toAnyNumber,
  boolean: toAnyBoolean,
}

/** The condition of a filter that does more than compare one field; null if it is not set. */
type OwnCondition<Table extends FilterTable<string>> = (
  filters: QueryOf<Table>,
  parameters: SqlParameters,
) => string | null

type Conditions<Field extends string, Table extends FilterTable<Field>> = {
  /** The table's name in the query. */
  alias: string
  fields: Record<Field, RecordField>
  filters: Table
  /** A condition for each filter that names no field; a missing one does not compile. */
  others: { [Name in Exclude<keyof Table, ComparedIn<Table>>]: OwnCondition<Table> }
}

/**
 * Makes the conditions of a list's filters. Every value is a parameter; an unset filter has no
 * condition.
 */
export function createFilterConditions<Field extends string, Table extends FilterTable<Field>>({
  alias,
  fields,
  filters: table,
  others,
}: Conditions<Field, Table>): (filters: QueryOf<Table>, parameters: SqlParameters) => (string | null)[] {
  const compared = Object.entries(table).flatMap(([name, { filter }]) =>
    filter?.of === undefined ? [] : { name, ...toField(filter) },
  )
  function toField(filter: FilterSpec) {
    const { column, type } = fields[filter.of as Field]
    return { column: `${alias}.${column}`, toCondition: OF_TYPE[type] ?? toAnyOf }
  }
  return (filters, parameters) => [
    ...compared.map(({ name, column, toCondition }) => toCondition(column, filters[name] as string[], parameters)),
    ...Object.values<OwnCondition<Table>>(others).map((toCondition) => toCondition(filters, parameters)),
  ]
}
