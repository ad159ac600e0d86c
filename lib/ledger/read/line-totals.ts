import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { toLineCountQuery } from '../conditions/count-lines.ts'
import type { FoundInvoices } from '../conditions/found-invoices.ts'
import { areFlagged, toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, type LineSource, STATES_OF_FLAGGED } from '../conditions/line-source.ts'
import type { LineTotal } from '../model.ts'
import { DEFAULT_LINE_QUERY, hasLineFilters, type LineFilters } from '../query/line-query.ts'
import {
  createSqlParameters,
  type OwnPlaceholder,
  type SqlParameters,
  toOwnPlaceholder,
} from '../sql/sql-parameters.ts'

/** SQL for the totals of filtered lines, one row per currency, shaped as `LineTotal`. */
export function toTotalsQuery(
  organizationId: OrganizationId,
  filters: LineFilters,
  parameters: SqlParameters,
  found: FoundInvoices | null = null,
): string {
  const source = chooseLineSource(filters, [])
  const conditions = toLineConditions(organizationId, filters, parameters, source, found)
  const flagged = areFlagged(filters) && !source.isRollup ? { toLineStates: () => STATES_OF_FLAGGED } : {}
  const own = toOwnPlaceholder(organizationId, parameters)
  return sumByCurrency(`${source.from} where ${conditions}`, { ...source, ...flagged }, own)
}

/** What the lines of a connection come to, per currency. */
export function readTotalsOfConnection(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<LineTotal[]> {
  const parameters = createSqlParameters()
  const query = toTotalsQuery(organizationId, { ...DEFAULT_LINE_QUERY, connections: [connectionId] }, parameters)
  return withTenantSnapshot(organizationId, (sql) => sql<LineTotal>(query, parameters.values))
}

/** SQL for the totals of rows of `l`. */
export function sumByCurrency(
  rows: string,
  { lineCount, toLineStates, having }: LineSource,
  own: OwnPlaceholder,
): string {
  return `
    select l.currency, ${lineCount}::int as "lineCount", sum(l.total_amount)::text as "totalAmount",
           sum(l.finding_count)::int as "findingCount", unpack_states(${toLineStates(own)}) as "lineStates"
    from ${rows} group by l.currency ${having} order by l.currency`
}

/** How many lines the totals cover. */
export function countTotalled(totals: readonly LineTotal[]): number {
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
