import * as z from 'zod'
import { toLinkHolder } from '#lib/auth/account/link-holder.ts'
import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { countAttempt, forgetAttempt } from '#lib/auth/limits/sign-in-throttle.ts'
import { linkSecret, toLinkHash } from '#lib/auth/links/link-secret.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { PASSWORD_PROBLEMS } from '#lib/auth/passwords/password.ts'
import { acceptInvitation } from '#lib/auth/people/invitations.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { done, landAt, type Notice, Outcome, toReply } from '#lib/http/outcome.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply } from '#lib/http/replies.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

/** Chosen passwords are looked at when the invitation is known to work. */
const body = z.object({ invitation: linkSecret, name: oneLine, password: z.string() })

type Problem = 'name' | 'password' | 'unusable'

/**
 * POST /api/invite {invitation, name, password}: makes the holder of an invitation link a user, and
 * leads to sign-in. From another address, the page is shown again with the reason.
 */
export const POST = publicWriteRoute(
  { because: 'invited people have no session yet', origin: 'ours', refusal: () => back('', { error: 'origin' }) },
  async ({ request, now }) => {
    const read = await readBody(request)
    if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
    return toReply(await join(request, read.value, now), read.kind === 'form')
  },
)

async function join(request: Request, sent: unknown, now: Date): Promise<Outcome> {
  const parsed = body.safeParse(sent)
  const link = linkSecret.safeParse((sent as Record<string, unknown> | null)?.invitation)
  const key = link.data ?? ''
  if (!parsed.success) return refuse(link.success ? 'name' : 'unusable', key, 'Write your name in one line.')
  const holder = toLinkHolder(request, key)
  const seconds = Math.ceil(await countAttempt(holder))
  if (seconds > 0) return wait(seconds, key)
  const end = await acceptInvitation(key, parsed.data, toClientNetwork(request.headers), now)
  if (end === 'unusable') return refuse('unusable', '', 'This invitation does not work.')
  if (end !== 'joined') return refuse('password', key, `The password ${PASSWORD_PROBLEMS[end]}.`)
  await forgetAttempt(holder)
  return done('sign-in', { joined: true }, { said: 'joined' })
}

function refuse(problem: Problem, key: string, text: string): Outcome {
  return new Outcome(back(key, { error: problem }), errorReply(problem === 'unusable' ? 404 : 400, problem, text))
}

function wait(seconds: number, key: string): Outcome {
  const reply = errorReply(429, 'too-many-requests', toWaitText(seconds, 'attempts'))
  reply.headers.set('retry-after', `${seconds}`)
  return new Outcome(back(key, { error: 'wait', query: `seconds=${seconds}` }), reply)
}

/** Back to the form, with the secret again behind the `#`, which browsers send to no server. */
function back(key: string, notice: Notice): Response {
  return landAt(['invited', toLinkHash(key)], notice)
}
