/**
 * Conditions that take no line of a page away: they say where the page's lines are, so that the
 * database reads only these and not all lines up to there.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseInvoiceSource, chooseLineSource } from '../conditions/line-source.ts'
import { DEFAULT_LINE_QUERY, type LineFilters, type LineQuery } from '../query/line-query.ts'
import type { PageSql } from '../sql/page-of-list.ts'
import { createSqlParameters, type SqlParameters } from '../sql/sql-parameters.ts'

/** Reading the lines of more invoices is no quicker than reading all lines. */
const MOST_INVOICES = 1000

/**
 * The days of expense between which the lines are that were issued on the wanted days, as a
 * condition on `l`; null if no day of issue is asked for. Months of issue and ten days of expense
 * are told apart, so it says too much, and never too little.
 */
export function toExpenseLimits(
  organizationId: OrganizationId,
  { from, to, dateField }: LineFilters,
  parameters: SqlParameters,
): string | null {
  if (dateField !== 'issued' || (from === null && to === null)) return null
  const months = { ...DEFAULT_LINE_QUERY, dateField, from: from && toFirstOfMonth(from), to: to && toFirstOfMonth(to) }
  const source = chooseLineSource({ ...months, to: null }, ['expense_date'])
  const conditions = toLineConditions(organizationId, months, parameters, source)
  const select = (limit: string) => `(select ${limit} from ${source.from} where ${conditions})`
  // the last ten days of a month are up to eleven
  return `l.expense_date >= ${select('min(l.expense_date)')} and l.expense_date <= ${select('max(l.expense_date) + 10')}`
}
