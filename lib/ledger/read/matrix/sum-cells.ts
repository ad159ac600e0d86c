import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { FoundInvoices } from '../../conditions/found-invoices.ts'
import { toDatedLabel, toGroupLabel, toKeyedRows, toKeyOrder } from '../../conditions/group-key-columns.ts'
import { toLineConditions } from '../../conditions/line-conditions.ts'
import { toMeasure } from '../../conditions/measure-columns.ts'
import { chooseMeasuredSource } from '../../kept/month-sums/choose-measured-source.ts'
import type { LineFilters } from '../../query/line-query.ts'
import { createSqlParameters, toOwnPlaceholder } from '../../sql/sql-parameters.ts'

/** Sums of the lines with these values, in one currency; null is unknown. */
export type CellSum = {
  /** One per key, in the order asked. */
  values: (string | null)[]
  /** The name of the last of them, where the value is an id. */
  label: string | null
  currency: string
  amount: DecimalText
  lineCount: number
}

/** What is summed, by which keys. `found` as of `toLineConditions`. */
type Asked = { filters: LineFilters; keys: readonly GroupKey[]; measure: Measure; found: FoundInvoices | null }

/**
 * The exact sums of a measure, one for each combination of the keys and each currency, in the order
 * of the last key, unknown last. A line with several values of a key is in the sum of each; without
 * that key it counts once.
 */
export async function sumCells(sql: Sql, organizationId: OrganizationId, asked: Asked): Promise<CellSum[]> {
  const { filters, keys, measure, found } = asked
  const parameters = createSqlParameters()
  const own = toOwnPlaceholder(organizationId, parameters)
  const keyed = keys.map((key) => toKeyedRows(key, filters, parameters, own))
  const columns = keyed.flatMap((each) => each.columns)
  const source = await chooseMeasuredSource(sql, organizationId, filters, columns, measure)
  const conditions = toLineConditions(organizationId, filters, parameters, source, found)
  const values = keyed.map(({ value }) => value)
  const last = keys.at(-1)
  const value = last === undefined ? 'null::text' : (values.at(-1) as string)
  const name = last === undefined ? 'null::text' : toGroupLabel(last, 'g.value', 'g.dated_label', own)
  const order = last === undefined ? [] : [`${toOrderOf(last)} nulls last`, 'g.value nulls last']
  return sql<CellSum>(
    `select g.values, g.label, g.currency, g.amount, g."lineCount" from (
       select g.*, ${name} as label from (
         select array[${values.join(', ')}]::text[] as values, ${value} as value, l.currency, ${toMeasure(measure, source, own)}::text as amount,
                ${source.lineCount}::int as "lineCount", ${last === undefined ? 'null::text' : toDatedLabel(last, source)} as dated_label
         from ${source.from} ${keyed.map(({ join }) => join).join(' ')} where ${conditions}
         group by ${[...values, 'l.currency'].join(', ')} ${source.having}) g) g
     order by ${[...order, 'g.values', 'g.currency'].join(', ')}`,
    parameters.values,
  )
}

function toOrderOf(key: GroupKey): string {
  const order = toKeyOrder(key)
  return order === 'g.value' ? 'coalesce(g.label, g.value)' : order
}
