import type { AppSession } from '#lib/auth/model.ts'
import { toScope } from '#lib/ledger/query/ledger-scope.ts'
import type { LineQuery } from '#lib/ledger/query/line-query.ts'
import { REVIEW_TABS, type ReviewTab } from '#lib/ledger/query/review-query.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { listSyncTimes } from '#lib/ledger/read/list-sync-times.ts'
import { countReview } from '#lib/ledger/review/count-review.ts'
import { countInvoiceReview } from '#lib/ledger/review/invoices/count-invoices.ts'
import { readFilterOptions } from '../../read-filter-options.ts'

/** The tab's lines, how many stand where, and the invoices beside them. */
export async function readReview(session: AppSession, lines: LineQuery, tab: ReviewTab) {
  const { organizationId } = session
  const scope = toScope(lines)
  const states = REVIEW_TABS[tab]
  const [list, { counts, ...beside }, invoices, options, syncTimes] = await Promise.all([
    listLines(organizationId, lines),
    countReview(organizationId, session.userId, lines),
    countInvoiceReview(organizationId, scope, states),
    readFilterOptions(session, lines.trips),
    listSyncTimes(organizationId),
  ])
  return { list, counts, beside, invoices: { counts: invoices, scope, states }, options, syncTimes }
}
