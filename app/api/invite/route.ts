import * as z from 'zod'
import { publicWriteRoute } from '#lib/auth/api-route.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { findPasswordProblem } from '#lib/auth/password.ts'
import { acceptInvitation } from '#lib/auth/people/invitations.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

/** Chosen passwords are looked at below. A link pasted as a whole is as good as its secret. */
const body = z.object({
  invitation: z
    .string()
    .max(1000)
    .transform((text) => text.trim().replace(/^.*#/s, '')),
  name: oneLine,
  password: z.string(),
})

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
    const sent = body.shape.invitation.safeParse((read.value as Record<string, unknown> | null)?.invitation)
    const key = sent.data ?? ''
    if (!parsed.success) return refuse(sent.success ? 'name' : 'unusable', key, isForm, 'Write your name in one line.')
    const { name, password } = parsed.data
    const problem = await findPasswordProblem(password, { name })
    if (problem !== null) return refuse('password', key, isForm, `The password ${problem}.`)
    const hasJoined = await acceptInvitation(key, { name, password }, toClientNetwork(request.headers), now)
    if (!hasJoined) return refuse('unusable', '', isForm, 'This invitation does not work.')
    return isForm ? redirectTo('/sign-in?said=joined') : Response.json({ joined: true })
  },
)

/** Back to the form, with the secret again behind the `#`, which browsers send to no server. */
function refuse(problem: Problem, key: string, isForm: boolean, text: string): Response {
  if (!isForm) return errorReply(problem === 'unusable' ? 404 : 400, problem, text)
  return redirectTo(`/invite?error=${problem}${/^[\w.-]+$/.test(key) ? `#${key}` : ''}`)
}
