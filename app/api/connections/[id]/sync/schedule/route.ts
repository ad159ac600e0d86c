import { z } from 'zod'
import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { SYNC_INTERVALS } from '../../../../../../lib/connections/model.ts'
import { setSyncInterval } from '../../../../../../lib/sync/next-sync.ts'

const body = z.object({ minutes: z.coerce.number().pipe(z.literal(SYNC_INTERVALS)) })

/** Sets how often the account is synced by itself. A form is sent back to the page, a script gets `{minutes}`. */
export const POST = apiRoute({ role: 'admin', mutation: true, body }, async ({ session, params, body, isForm }) => {
  const { organizationId, userId } = session
  const connection = await getConnection(organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  await setSyncInterval({ organizationId, connectionId: connection.id }, body.minutes, userId)
  return isForm ? redirectTo(`/connections/${connection.id}`) : { minutes: body.minutes }
})
