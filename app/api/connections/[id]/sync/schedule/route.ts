import { z } from 'zod'
import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { SYNC_INTERVALS } from '#lib/connections/model.ts'
import { redirectTo } from '#lib/http/replies.ts'
import { setSyncInterval } from '#lib/sync/runs/next-sync.ts'

/**
 * A form sends digits, a script a number. Values that only convert to a number (a list, `0x3c`) are
 * refused.
 */
const minutes = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.literal(SYNC_INTERVALS))
const body = z.object({ minutes })

/** Sets how often the account syncs. A form is sent back to the page, a script gets `{minutes}`. */
export const POST = connectionWriteRoute({ role: 'admin', body }, async ({ session, connection, body, isForm }) => {
  const { organizationId, userId } = session
  await setSyncInterval({ organizationId, connectionId: connection.id }, body.minutes, userId)
  return isForm ? redirectTo(`/connections/${connection.id}`) : { minutes: body.minutes }
})
