import { connectionWriteRoute, noSuchConnection } from '#lib/auth/doors/api-route.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { done, refused } from '#lib/http/outcome.ts'

/** "Check now": queues a check or joins the one under way: `{checkId, joined}`. */
export const POST = connectionWriteRoute({ may: 'connect-accounts' }, async ({ session, actor, connection }) => {
  const page = ['scim', connection.id] as const
  const requested = await requestScimCheck(session.organizationId, connection.id, actor)
  if (requested !== 'disconnected') return done(page, requested ?? noSuchConnection())
  const text = 'This account is disconnected, so nothing can be checked. Reconnect it first.'
  return refused(page, 'connection-disconnected', text, {})
})
