import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, type LineSource } from '../conditions/line-source.ts'
import type { CurrencyTotal } from '../model.ts'
import { DEFAULT_LINE_QUERY, hasLineFilters, type LineFilters } from '../query/line-query.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'

/** SQL for the totals of filtered lines, one row per currency, shaped as `CurrencyTotal`. */
export function toTotalsQuery(organizationId: OrganizationId, filters: LineFilters, parameters: SqlParameters): string {
  const source = chooseLineSource(filters, ['invoice_serial_number'])
  return sumByInvoice(`${source.from} where ${toLineConditions(organizationId, filters, parameters, source)}`, source)
}

/**
 * SQL for the totals of rows of `l`. Grouping by invoice first counts the invoices without sorting
 * all lines.
 */
export function sumByInvoice(rows: string, { lineCount }: LineSource): string {
  return `
    select currency, count(*)::int as "invoiceCount", sum(line_count)::int as "lineCount",
           sum(total_amount)::text as "totalAmount", sum(finding_count)::int as "findingCount"
    from (select l.currency, ${lineCount} as line_count, sum(l.total_amount) as total_amount,
                 sum(l.finding_count) as finding_count
          from ${rows}
          group by l.currency, l.connection_id, l.invoice_serial_number) invoice
    group by currency order by currency`
}

/** How many lines the totals cover. */
export function countTotalled(totals: readonly CurrencyTotal[]): number {
  return totals.reduce((count, total) => count + total.lineCount, 0)
}

/** SQL that counts all lines of the organization; no row without a filter: the totals have it. */
export function toAllCountQuery(
  organizationId: OrganizationId,
  filters: LineFilters,
  parameters: SqlParameters,
): string {
  const all = toLineCountQuery(organizationId, parameters)
  return hasLineFilters(filters) ? all : `${all} having false`
}

/** SQL that counts all lines of the organization. */
export function toLineCountQuery(organizationId: OrganizationId, parameters: SqlParameters): string {
  const source = chooseLineSource(DEFAULT_LINE_QUERY, [])
  return `select coalesce(${source.lineCount}, 0)::int as count from ${source.from}
          where ${toLineConditions(organizationId, DEFAULT_LINE_QUERY, parameters, source)}`
}
