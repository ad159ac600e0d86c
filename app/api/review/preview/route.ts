import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { previewInvoices } from '#lib/ledger/review/invoices/decide-invoices.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import { asked, isAboutInvoices, toAsked, toInvoicesAsked } from '../asked.ts'

export const dynamic = 'force-dynamic'

/** POST /api/review/preview {asked}: what a decision would do, and the hash of its set. */
export const POST = writeRoute({ may: 'decide', kind: 'rows', body: z.object({ asked }) }, async ({ session, body }) =>
  (await isAboutInvoices(session, body.asked))
    ? previewInvoices(session.organizationId, toInvoicesAsked(body.asked))
    : previewDecision(session.organizationId, toAsked(session, body.asked)),
)
