import { connectionWriteRoute, noSuchConnection } from '#lib/auth/api-route.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

/**
 * "Check now": queues a check or joins the one under way. A form is sent back to the page, a script
 * gets `{checkId, joined}`.
 */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts' },
  async ({ session, actor, connection, isForm }) => {
    const requested = await requestScimCheck(session.organizationId, connection.id, actor)
    if (requested === 'disconnected' && !isForm)
      return errorReply(
        409,
        'connection-disconnected',
        'This account is disconnected, so nothing can be checked. Reconnect it first.',
      )
    return isForm ? redirectTo(`/connections/${connection.id}/scim`) : (requested ?? noSuchConnection())
  },
)
