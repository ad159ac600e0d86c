import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import type { InvoiceReviewCount } from '../../model.ts'
import { DEFAULT_INVOICE_QUERY } from '../../query/invoice-query.ts'
import type { LedgerScope } from '../../query/ledger-scope.ts'
import { toStake } from './invoice-set.ts'
import { listReviewed } from './read-reviewed.ts'

/**
 * How many invoices of the scope stand in one of these states by themselves, and the money that is
 * in question, by currency. Of days of expense there are none.
 */
export function countInvoiceReview(
  organizationId: OrganizationId,
  { dateField, ...scope }: LedgerScope,
  states: readonly ReviewChoice[],
): Promise<InvoiceReviewCount[]> {
  const isOfExpense = dateField === 'expense' && (scope.from !== null || scope.to !== null)
  if (isOfExpense || states.length === 0) return Promise.resolve([])
  return withTenantSnapshot(organizationId, async (sql) => {
    const listed = await listReviewed(sql, organizationId, { ...DEFAULT_INVOICE_QUERY, ...scope })
    const chosen = listed.filter(({ stand }) => states.includes(stand.state))
    return [...groupBy(chosen, ({ proof }) => proof.currency)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, own]) => ({ currency, invoiceCount: own.length, stake: sumDecimals(own.map(toStake)) }))
  })
}
