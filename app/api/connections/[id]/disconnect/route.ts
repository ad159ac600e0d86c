import * as z from 'zod'
import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** `data`: what happens to the account's data. Chosen in the dialog, never assumed. */
const body = z.object({ data: z.enum(['keep', 'delete']) })

/** Disconnects an account. Reading stops at once; the worker ends the link and does the rest. */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body: { data } }) => {
    // the first choice counts, even when two admins ask; the page shows it
    await requestDisconnect(session.organizationId, connection.id, { dataChoice: data, actor })
    return redirectTo(`/connections/${connection.id}`)
  },
)
