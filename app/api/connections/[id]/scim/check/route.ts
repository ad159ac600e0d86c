import { connectionWriteRoute } from '../../../../../../lib/auth/api-route.ts'
import { redirectTo } from '../../../../../../lib/auth/replies.ts'
import { requestScimCheck } from '../../../../../../lib/connections/scim-checks.ts'

/** "Check now": queues a check or joins the one under way. A form is sent back to the page, a script gets `{checkId, joined}`. */
export const POST = connectionWriteRoute({ role: 'admin' }, async ({ session, connection, isForm }) => {
  const requested = await requestScimCheck(session.organizationId, connection.id, session.userId)
  return isForm ? redirectTo(`/connections/${connection.id}/scim`) : requested
})
