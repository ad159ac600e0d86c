import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply, jsonReply } from '#lib/http/replies.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import { readExpectedBack } from '#lib/ledger/review/expected-back.ts'
import { decideInvoices } from '#lib/ledger/review/invoices/decide-invoices.ts'
import { asked, isAboutInvoices, toAsked, toInvoicesAsked } from '../asked.ts'

export const dynamic = 'force-dynamic'

const MOST_NOTED = 2000

const body = z.object({
  asked,
  /** Of the preview that was seen. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  lastDecision: z.string().regex(/^\d{1,15}$/),
  reason: z.string().max(40).nullish(),
  note: z.string().max(MOST_NOTED).nullish(),
  expectedBack: z.string().max(40).nullish(),
})

/**
 * POST /api/review/decide: decides about exactly the set that was seen. 409 `changed` with a fresh
 * preview when it is another one; 400 when money that nothing explains has no reason.
 */
export const POST = writeRoute({ may: 'decide', body }, async ({ session, actor, body }) => {
  const { hash, at, lastDecision, reason = null } = body
  const isOfInvoices = await isAboutInvoices(session, body.asked)
  if (isOfInvoices && body.expectedBack)
    return errorReply(400, 'bad-request', 'Money is expected back for lines only. Dispute the lines.')
  const expected = body.expectedBack
    ? await readExpectedBack(session.organizationId, body.asked, body.expectedBack)
    : null
  if (expected !== null && 'problem' in expected) return errorReply(400, 'bad-request', expected.problem)
  const note = body.note?.trim().replaceAll('\0', '') || null
  const decider = { actor, name: session.name }
  const seen = { hash, at, lastDecision, reason, note }
  const ended = isOfInvoices
    ? await decideInvoices(session.organizationId, decider, { asked: toInvoicesAsked(body.asked), ...seen })
    : await decide(session.organizationId, decider, {
        asked: toAsked(session, body.asked),
        ...seen,
        expectedBack: expected?.amount ?? null,
      })
  if (ended.kind === 'changed') return jsonReply(ended, 409)
  if (ended.kind === 'needs-reason')
    return errorReply(400, 'needs-reason', 'Nothing explains some of them. Choose a reason.')
  if (ended.kind === 'no-reason') return errorReply(400, 'bad-request', 'Choose one of the reasons.')
  if (ended.kind === 'retired-reason')
    return errorReply(409, 'retired-reason', 'This reason was retired meanwhile, and nothing was done. Choose another.')
  if (ended.kind === 'nothing') return errorReply(409, 'conflict', 'None of them would change.')
  return ended
})
