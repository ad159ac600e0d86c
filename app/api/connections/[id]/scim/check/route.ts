import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { requestScimCheck } from '../../../../../../lib/connections/scim-checks.ts'

/** "Check now": queues a check or joins the one under way. A form is sent back to the page, a script gets `{checkId, joined}`. */
export const POST = apiRoute({ role: 'admin', mutation: true }, async ({ session, params, isForm }) => {
  const connectionId = params.id ?? ''
  const requested = await requestScimCheck(session.organizationId, connectionId, session.userId)
  if (requested === null) return errorReply(404, 'not-found', 'There is no such connection.')
  return isForm ? redirectTo(`/connections/${connectionId}/scim`) : requested
})
