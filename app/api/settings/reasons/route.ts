import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { changeReasonList } from '#lib/ledger/review/reason-list.ts'
import { MOST_WORDS, REASON_KINDS } from '#lib/reconcile/review/reasons.ts'

export const dynamic = 'force-dynamic'

/** `revision`: of the list that was seen. */
const ofList = { revision: z.coerce.number().int().min(0).max(999_999_999), kind: z.enum(REASON_KINDS) }
const code = z.string().regex(/^[a-z0-9_]{1,40}$/)
const words = lineOf(MOST_WORDS)

const body = z.discriminatedUnion('change', [
  z.object({ change: z.literal('add'), ...ofList, words }),
  z.object({ change: z.literal('rename'), ...ofList, code, words }),
  z.object({ change: z.enum(['retire', 'restore', 'up', 'down']), ...ofList, code }),
])

const REFUSALS = {
  changed: 'Somebody changed the reasons after you opened this page. Nothing was changed.',
  gone: 'There is no such reason.',
  taken: 'There is a reason of these words already.',
  'taken-retired': 'A retired reason has these words: bring it back instead.',
  stays: 'This reason cannot be retired.',
  last: 'A dispute always has a reason: keep at least one.',
  full: 'There are as many reasons as there may be.',
} as const

/**
 * POST /api/settings/reasons {revision, kind, change, code, words}: one change of the reasons for
 * accepting or disputing lines (docs/decisions/061-own-reasons.md). 409 when the list is another
 * one than was seen.
 */
export const POST = writeRoute({ may: 'keep-reasons', body }, async ({ session, actor, body }) => {
  const { revision, ...asked } = body
  const ended = await changeReasonList(session.organizationId, actor, revision, asked)
  return ended.kind === 'done'
    ? done('reasons', ended, { said: 'saved' })
    : refused('reasons', ended.kind, REFUSALS[ended.kind], { error: ended.kind })
})
