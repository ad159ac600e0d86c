import { z } from 'zod'
import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { redirectTo } from '#lib/http/replies.ts'

/**
 * `data`: what is to become of what was read from the account; chosen in the dialog, and never
 * assumed.
 */
const body = z.object({ data: z.enum(['keep', 'delete']) })

/**
 * Disconnects an account: nothing is read any more from here on; the worker ends the link and does
 * the rest.
 */
export const POST = connectionWriteRoute({ role: 'admin', body }, async ({ session, connection, body: { data } }) => {
  const { organizationId, userId } = session
  // asked twice, or by two admins: what was chosen first counts, and the page shows it
  await requestDisconnect(organizationId, connection.id, { dataChoice: data, userId })
  return redirectTo(`/connections/${connection.id}`)
})
