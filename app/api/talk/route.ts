import * as z from 'zod'
import { readRoute, writeRoute } from '#lib/auth/doors/api-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { listThread } from '#lib/talk/read-thread.ts'
import { addMessage } from '#lib/talk/write-message.ts'
import { MAY_HAVE, noSuchSubject, ofFiles, ofSubject, ofWords, toSubject, toWriter, toWritten } from './talk-door.ts'

export const dynamic = 'force-dynamic'

const asked = z.object(ofSubject)

/**
 * GET /api/talk?kind=&key=&connection=: what is said about it, who has it, who can be named, and
 * what the reader may do.
 */
export const GET = readRoute({ may: 'read' }, async ({ request, session }) => {
  const parsed = asked.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  const subject = parsed.success ? toSubject(parsed.data) : null
  if (subject === null) return noSuchSubject()
  const { organizationId, userId, role } = session
  const thread = await listThread(organizationId, { userId, roles: MAY_HAVE }, subject)
  if (thread === null) return noSuchSubject()
  const may = { comment: isAllowed(role, 'comment'), assign: isAllowed(role, 'assign') }
  return { ...thread, me: userId, may }
})

const quote = z.object({
  label: lineOf(80),
  amount: z
    .string()
    .max(80)
    .transform((text, context) => {
      const amount = parseDecimal(text)
      if (amount === null) context.addIssue({ code: 'custom', message: 'no decimal' })
      return amount ?? z.NEVER
    }),
  currency: lineOf(12),
})

const body = z
  .object({ ...ofSubject, ...ofWords, ...ofFiles, quote: quote.nullish() })
  .refine(({ text, files }) => text !== '' || files.length > 0)

/** POST /api/talk {kind, key, connection, text, mentions, quote, files}: another comment. */
export const POST = writeRoute({ may: 'comment', body }, async (call) => {
  const { text, mentions, quote, files } = call.body
  const subject = toSubject(call.body)
  if (subject === null) return noSuchSubject()
  const words = { text, mentions, quote: quote ?? null, files }
  return toWritten(await addMessage(call.session.organizationId, toWriter(call), subject, words))
})
