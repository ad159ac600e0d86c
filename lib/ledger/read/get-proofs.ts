import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { findPeriod, periodBefore } from '#lib/reconcile/period.ts'
import { isUndecided } from '#lib/reconcile/review/review-state.ts'
import {
  type CompletenessSurvey,
  type InvoiceCompleteness,
  surveyCompleteness,
} from '../kept/plain-invoices/read-completeness.ts'
import type { CompactCoverage, TieOut } from '../model.ts'
import { EVERYTHING, isEverything, type LedgerScope } from '../query/ledger-scope.ts'
import {
  type InvoiceReviews,
  readInvoiceReviews,
  toInvoiceKeyText,
  toReviewed,
} from '../review/invoices/read-reviewed.ts'
import { listCompactCoverage } from './coverage.ts'
import { readTieOut, sumInvoices } from './tie-out.ts'

/**
 * `tieOut`: of everything; `scoped`: of the wanted scope; `before`: the invoices' totals of the
 * period before, per currency, null without a period of issue.
 */
export type Proofs = {
  tieOut: TieOut
  scoped: TieOut
  before: Record<string, DecimalText> | null
  coverage: CompactCoverage[]
  /** What all of it was made of. */
  of: { survey: CompletenessSurvey; reviews: InvoiceReviews }
}

/**
 * What the proofs of all invoices come to: the tie-out per currency, of everything and of a scope,
 * and the last months of every account. All come from one survey, which is most of the work, and
 * from one moment, that of `within` if it is given.
 */
export function getProofs(
  organizationId: OrganizationId,
  now: Date,
  scope: LedgerScope = EVERYTHING,
  within?: Sql,
): Promise<Proofs> {
  const period = scope.dateField === 'issued' ? findPeriod(scope.from, scope.to) : null
  const before = period === null ? null : periodBefore(period)
  const read = async (sql: Sql) => {
    const survey = await surveyCompleteness(sql, organizationId, {})
    const reviews = await readInvoiceReviews(sql, organizationId)
    const isDecided = toIsDecided(reviews)
    const tieOut = await readTieOut(sql, organizationId, survey, EVERYTHING, isDecided)
    return {
      tieOut,
      scoped: isEverything(scope) ? tieOut : await readTieOut(sql, organizationId, survey, scope, isDecided),
      before: before === null ? null : sumInvoices(survey, { ...scope, from: before.from, to: before.to }),
      coverage: await listCompactCoverage(sql, organizationId, survey, now),
      of: { survey, reviews },
    }
  }
  return withTenantSnapshot(organizationId, read, { within })
}

/** Whether somebody has accepted or disputed what is wrong with an invoice, as it still is. */
function toIsDecided(reviews: InvoiceReviews): (invoice: InvoiceCompleteness) => boolean {
  return (invoice) => reviews.has(toInvoiceKeyText(invoice)) && !isUndecided(toReviewed(invoice, reviews).stand.state)
}
