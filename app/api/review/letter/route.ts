import * as z from 'zod'
import { readRoute, writeRoute } from '#lib/auth/doors/api-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { errorReply, jsonReply } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { getLetter } from '#lib/ledger/review/get-letter.ts'
import { markSent } from '#lib/ledger/review/sent-letters.ts'
import { dayOf, parseDay } from '#lib/reconcile/day.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/review/letter?connection=&invoice=&line=: what a letter about the disputed lines of an
 * invoice says, or about one of them; null where none is disputed. Its words are the reader's.
 */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const params = new URL(request.url).searchParams
  const [connection, invoice] = [params.get('connection') ?? '', params.get('invoice') ?? '']
  const person = { name: session.name, organization: session.organizationName }
  return jsonReply(await getLetter(session.organizationId, { connection, invoice, line: params.get('line') }, person))
})

/** A letter names so many lines; more would be no letter. */
const MOST_NAMED = 1000
const MOST_RECIPIENT = 200
/** Somewhere it is tomorrow already. */
const A_DAY_MS = 24 * 3600 * 1000

const body = z.object({
  connection: z.uuid(),
  invoice: z.string().max(300),
  /** As the letter has them: each line, and the decision that it is disputed by. */
  disputes: z
    .array(z.object({ lineId: z.string().max(300), decision: z.string().regex(/^[1-9]\d{0,14}$/) }))
    .min(1)
    .max(MOST_NAMED),
  sentOn: z.string(),
  recipient: lineOf(MOST_RECIPIENT),
})

/**
 * POST /api/review/letter: a person says that they have sent this letter, when and to whom. 409
 * when one of its disputes no longer stands.
 */
export const POST = writeRoute({ may: 'decide', body }, async ({ session, actor, now, body }) => {
  const sentOn = parseDay(body.sentOn)
  if (sentOn === null || sentOn > dayOf(now.getTime() + A_DAY_MS))
    return errorReply(400, 'bad-request', 'Choose the day on which it was sent: today or earlier.')
  const { connection, invoice, disputes, recipient } = body
  const letter = await markSent(
    session.organizationId,
    { actor, name: session.name },
    { connectionId: connection as ConnectionId, invoiceSerialNumber: invoice, disputes, sentOn, recipient },
  )
  return letter === null
    ? errorReply(
        409,
        'conflict',
        'Not all of this is disputed any more, and nothing was marked. Look at the text again.',
      )
    : { letter }
})
