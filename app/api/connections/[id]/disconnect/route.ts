import * as z from 'zod'
import { toAccountName } from '#components/connections/connection-state.ts'
import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { landAt, refused } from '#lib/http/outcome.ts'

/**
 * `data`: what happens to the account's data. Chosen in the dialog, never assumed. `name`: the
 * account's, typed by whoever has the data deleted.
 */
const body = z.object({ data: z.enum(['keep', 'delete']), name: z.string().max(1000).optional() })

/** Disconnects an account. Reading stops at once; the worker ends the link and does the rest. */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body: { data, name = '' } }) => {
    const page = ['connection', connection.id] as const
    if (data === 'delete' && toTyped(name) !== toTyped(toAccountName(connection))) {
      const text = 'To delete its data, send the name of the account. Nothing was disconnected.'
      return refused(page, 'bad-request', text, { query: new URLSearchParams({ ask: 'disconnect', mistyped: name }) })
    }
    // the first choice counts, even when two admins ask; the page shows it
    await requestDisconnect(session.organizationId, connection.id, { dataChoice: data, actor })
    return landAt(page)
  },
)

/** People do not see how an accent is made up, nor how many spaces there are. */
function toTyped(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ')
}
