import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, type LineColumn } from '../conditions/line-source.ts'
import { STATE_OF_FLAGGED } from '../fields/line-fields.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { Summary, SummaryRow } from '../model.ts'
import type { SummaryKey, SummaryQuery } from '../query/summary-query.ts'
import { createSqlParameters, toOwnPlaceholder } from '../sql/sql-parameters.ts'

/** A summary is for people: more rows are a file's work. */
const MAX_ROWS = 10_000

/** Each key's column of `l`, and its value as text: the allow-list for GROUP BY. */
const KEYS: Record<SummaryKey, { column: LineColumn; value: string }> = {
  month: { column: 'expense_date', value: `to_char(l.expense_date, 'YYYY-MM')` },
  currency: { column: 'currency', value: 'l.currency' },
  vertical: { column: 'related_vertical', value: 'l.related_vertical' },
  cost_center: { column: 'cost_center', value: 'l.cost_center' },
  service: { column: 'service', value: 'l.service' },
  profile: { column: 'profile_id', value: 'l.profile_id' },
  status: { column: 'invoice_status', value: 'l.invoice_status' },
  mode: { column: 'invoice_mode', value: 'l.invoice_mode' },
  tax_regime: { column: 'tax_regime', value: 'l.tax_regime' },
  tax_percentage: { column: 'tax_percentage', value: 'trim_scale(l.tax_percentage)::text' },
  trip: { column: 'trip_id', value: 'l.trip_id' },
}

/**
 * Sums of the filtered lines, one row per combination of the keys and per currency, ordered by the
 * keys, unknown last. Never more than 10,000 rows: `isWhole` says whether these are all.
 */
export async function summarizeLines(organizationId: OrganizationId, asked: SummaryQuery): Promise<Summary> {
  const keys = asked.by.map((key) => KEYS[key])
  const columns = keys.map(({ column }) => column)
  const source = chooseLineSource(asked, columns)
  const parameters = createSqlParameters()
  const values = keys.map(({ value }) => value)
  const sums = await withTenantSnapshot(organizationId, async (sql) => {
    const query = await spellOut(sql, organizationId, asked)
    const found = await findInvoicesOfText(sql, organizationId, query)
    const rows = `${source.from} where ${toLineConditions(organizationId, query, parameters, source, found)}`
    const own = toOwnPlaceholder(organizationId, parameters)
    const summed = source.isRollup ? { ...source, from: rows } : sumByColumns(rows, columns)
    return sql<SummaryRow>(
      `select array[${values.join(', ')}]::text[] as values, l.currency, ${summed.lineCount}::int as "lineCount",
              sum(l.total_amount)::text as "totalAmount", sum(l.finding_count)::int as "findingCount", unpack_states(${summed.toLineStates(own)}) as "lineStates"
       from ${summed.from}
       group by ${values.join(', ')}, l.currency ${source.having}
       order by ${values.map((value) => `${value} nulls last`).join(', ')}, l.currency limit ${MAX_ROWS + 1}`,
      parameters.values,
    )
  })
  return { rows: sums.slice(0, MAX_ROWS), isWhole: sums.length <= MAX_ROWS }
}

/**
 * Sums of lines by the bare columns: the texts of the keys are then made of few rows. Where lines
 * are sorted for it, a day tells two apart sooner than a number does. States are summed apart, of
 * lines with findings alone: what they are made of is in no index that answers all others.
 */
function sumByColumns(rows: string, columns: readonly LineColumn[]) {
  const days = columns.filter((column) => column === 'expense_date')
  const keys = [...new Set<LineColumn>([...days, ...columns, 'currency'])].map((column) => `l.${column}`).join(', ')
  return {
    from: `(select ${keys}, count(*) as line_count, sum(l.total_amount) as total_amount,
                   sum(l.finding_count) as finding_count, 0 as line_states
            from ${rows} group by ${keys}
            union all
            select ${keys}, 0, 0, 0, sum(${STATE_OF_FLAGGED}) from ${rows} and l.finding_count > 0 group by ${keys}) l`,
    lineCount: 'sum(l.line_count)',
    toLineStates: () => 'sum(l.line_states)',
  }
}
