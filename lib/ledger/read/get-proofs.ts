import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { findPeriod, periodBefore } from '#lib/reconcile/period.ts'
import { surveyCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import type { CompactCoverage, TieOut } from '../model.ts'
import { EVERYTHING, isEverything, type LedgerScope } from '../query/ledger-scope.ts'
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
    const tieOut = await readTieOut(sql, organizationId, survey)
    return {
      tieOut,
      scoped: isEverything(scope) ? tieOut : await readTieOut(sql, organizationId, survey, scope),
      before: before === null ? null : sumInvoices(survey, { ...scope, from: before.from, to: before.to }),
      coverage: await listCompactCoverage(sql, organizationId, survey, now),
    }
  }
  return withTenantSnapshot(organizationId, read, { within })
}
