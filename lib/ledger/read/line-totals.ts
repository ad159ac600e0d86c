import type { OrganizationId } from '#lib/ids.ts'
import type { CurrencyTotal } from '../model.ts'
import { hasLineFilters, type LineFilters } from '../query/line-query.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'

/**
 * SQL for the totals of filtered lines, one row per currency, shaped as `CurrencyTotal`. Grouping
 * by invoice first counts the invoices without sorting all lines.
 */
export function toTotalsQuery(conditions: string): string {
  return `
    select currency, count(*)::int as "invoiceCount", sum(line_count)::int as "lineCount",
           sum(total_amount)::text as "totalAmount", sum(finding_count)::int as "findingCount"
    from (select l.currency, count(*) as line_count, sum(l.total_amount) as total_amount,
                 sum(l.finding_count) as finding_count
          from line l where ${conditions}
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
  const all = `select count(*)::int as count from line l where l.organization_id = ${parameters.add(organizationId)}::uuid and l.missing_since is null`
  return hasLineFilters(filters) ? all : `${all} having false`
}
