import * as z from 'zod'
import { refuseStale } from '#lib/auth/doors/account-route.ts'
import { type WriteCall, writeRoute } from '#lib/auth/doors/api-route.ts'
import { toInvitationAddress } from '#lib/auth/links/invitation-links.ts'
import { lineOr } from '#lib/auth/one-line.ts'
import { invite, listInvitations, renewInvitation, withdrawInvitation } from '#lib/auth/people/invitations.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { settings } from '#lib/env.ts'
import { cookieNames, toSetCookie } from '#lib/http/cookies.ts'
import { done, type Outcome, refused } from '#lib/http/outcome.ts'
import { errorReply } from '#lib/http/replies.ts'

/** For how long the page shows a new link to the browser that made it. */
const SHOWN_SECONDS = 60

const invitation = z.uuid()
const by = z.enum(['link', 'mail']).default('link')
const body = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('invite'),
    email: z
      .string()
      .transform((text) => text.trim())
      .pipe(z.email().max(320)),
    name: lineOr('').default(''),
    role: z.enum(ROLES),
    by,
  }),
  z.object({ action: z.literal('renew'), invitation, by }),
  z.object({ action: z.literal('withdraw'), invitation }),
])
type Call = WriteCall<z.infer<typeof body>>

/**
 * POST /api/people/invitations {action, …}: invites an address, makes another link for it, or
 * withdraws the invitation. A script gets `{link}`; a form is sent back to the page, which shows
 * the link. With `by: 'mail'` nobody gets it but the invited person. 404: no such invitation; 409:
 * the address is in the organization already, this desk sends no mail, or it is an admin's link in
 * a session that has not just shown whose it is.
 */
export const POST = writeRoute({ may: 'manage-people', body }, async (call: Call) => {
  const { body, session, actor, now } = call
  const { organizationId } = session
  const byMail = body.action !== 'withdraw' && body.by === 'mail'
  if (byMail && settings().mail === null)
    return refused('invite', 'no-mail', 'This desk sends no mail: hand the link over.')
  const stale = (await makesAdmin(call)) ? await refuseStale(call, 'people') : null
  if (stale !== null) return stale
  if (body.action === 'invite') {
    const made = await invite(organizationId, { ...body, byMail }, actor, now)
    if (made.kind !== 'made') return refused('invite', 'member', 'This address is in your organization already.')
    return handOver(made.key, byMail)
  }
  if (body.action === 'renew') {
    const key = await renewInvitation(organizationId, body.invitation, actor, now, { byMail })
    return key === null ? noSuchInvitation() : handOver(key, byMail)
  }
  if (!(await withdrawInvitation(organizationId, body.invitation, actor))) return noSuchInvitation()
  return done('invitations', { action: 'withdraw' }, { said: 'withdraw' })
})

/** Whether the call makes a link with which somebody becomes an admin. */
async function makesAdmin({ body, session }: Call): Promise<boolean> {
  if (body.action === 'invite') return body.role === 'admin'
  if (body.action === 'withdraw') return false
  const invitations = await listInvitations(session.organizationId)
  return invitations.some(({ id, role }) => id === body.invitation && role === 'admin')
}

function handOver(key: string, byMail: boolean): Outcome {
  if (byMail) return done('invitations', { mailed: true }, { said: 'mailed' })
  // not in the address, which histories and logs of proxies keep
  const cookie = toSetCookie(cookieNames().invitation, key, '/people', SHOWN_SECONDS)
  return done('everybody', { link: toInvitationAddress(key) }, { said: 'invite', cookies: [cookie] })
}

function noSuchInvitation(): Response {
  return errorReply(404, 'not-found', 'There is no such invitation.')
}
