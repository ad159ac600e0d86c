import { z } from 'zod'
import { apiRoute } from '../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../lib/auth/replies.ts'
import { requestDisconnect } from '../../../../../lib/connections/disconnect-request.ts'

/** `data`: what is to become of what was read from the account; chosen in the dialog, and never assumed. */
const body = z.object({ data: z.enum(['keep', 'delete']) })

/** Disconnects an account: nothing is read any more from here on; the worker ends the link and does the rest. */
export const POST = apiRoute({ role: 'admin', mutation: true, body }, async ({ session, params, body: { data } }) => {
  const { organizationId, userId } = session
  const connectionId = params.id ?? ''
  const answer = await requestDisconnect(organizationId, connectionId, { dataChoice: data, userId })
  if (answer === 'missing') return errorReply(404, 'not-found', 'There is no such connection.')
  // asked twice, or by two admins: what was chosen first counts, and the page shows it
  return redirectTo(`/connections/${connectionId}`)
})
