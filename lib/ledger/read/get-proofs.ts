import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { CompactCoverage, TieOut } from '../model.ts'
import { listCompactCoverage } from './coverage.ts'
import { surveyCompleteness } from './read-completeness.ts'
import { readTieOut } from './tie-out.ts'

/**
 * What the proofs of all invoices come to: the tie-out per currency, and the last months of every
 * account. Both come from one survey, which is most of the work, and from one moment.
 */
export function getProofs(
  organizationId: OrganizationId,
  now: Date,
): Promise<{ tieOut: TieOut; coverage: CompactCoverage[] }> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const survey = await surveyCompleteness(sql, organizationId, {})
    return {
      tieOut: await readTieOut(sql, organizationId, survey),
      coverage: await listCompactCoverage(sql, organizationId, survey, now),
    }
  })
}
