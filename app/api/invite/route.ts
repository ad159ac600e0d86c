import * as z from 'zod'
import { toLinkHolder } from '#lib/auth/account/link-holder.ts'
import { publicWriteRoute } from '#lib/auth/api-route.ts'
import { countAttempt, forgetAttempt } from '#lib/auth/limits/sign-in-throttle.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { PASSWORD_PROBLEMS } from '#lib/auth/password.ts'
import { acceptInvitation } from '#lib/auth/people/invitations.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'
import { linkSecret, toLinkHash } from '#lib/links/link-secret.ts'

/** Chosen passwords are looked at when the invitation is known to work. */
const body = z.object({ invitation: linkSecret, name: oneLine, password: z.string() })

type Problem = 'name' | 'password' | 'unusable'

/**
 * POST /api/invite {invitation, name, password}: makes the holder of an invitation link a user, and
 * leads to sign-in. From another address, the page is shown again with the reason.
 */
export const POST = publicWriteRoute(
  { because: 'invited people have no session yet', origin: 'ours', refusal: () => redirectTo('/invite?error=origin') },
  async ({ request, now }) => {
    const read = await readBody(request)
    if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
    const isForm = read.kind === 'form'
    const parsed = body.safeParse(read.value)
    const sent = linkSecret.safeParse((read.value as Record<string, unknown> | null)?.invitation)
    const key = sent.data ?? ''
    if (!parsed.success) return refuse(sent.success ? 'name' : 'unusable', key, isForm, 'Write your name in one line.')
    const holder = toLinkHolder(request, key)
    const seconds = Math.ceil(await countAttempt(holder))
    if (seconds > 0) return wait(seconds, key, isForm)
    const end = await acceptInvitation(key, parsed.data, toClientNetwork(request.headers), now)
    if (end === 'unusable') return refuse('unusable', '', isForm, 'This invitation does not work.')
    if (end !== 'joined') return refuse('password', key, isForm, `The password ${PASSWORD_PROBLEMS[end]}.`)
    await forgetAttempt(holder)
    return isForm ? redirectTo('/sign-in?said=joined') : Response.json({ joined: true })
  },
)

/** Back to the form, with the secret again behind the `#`, which browsers send to no server. */
function refuse(problem: Problem, key: string, isForm: boolean, text: string): Response {
  if (!isForm) return errorReply(problem === 'unusable' ? 404 : 400, problem, text)
  return redirectTo(`/invite?error=${problem}${toLinkHash(key)}`)
}

function wait(seconds: number, key: string, isForm: boolean): Response {
  if (isForm) return redirectTo(`/invite?error=wait&seconds=${seconds}${toLinkHash(key)}`)
  const reply = errorReply(429, 'too-many-requests', toWaitText(seconds, 'attempts'))
  reply.headers.set('retry-after', `${seconds}`)
  return reply
}
