import { z } from 'zod'
import { connectionWriteRoute } from '../../../../../../lib/auth/api-route.ts'
import { redirectTo } from '../../../../../../lib/auth/replies.ts'
import { sealingKeys } from '../../../../../../lib/connections/key-ring.ts'
import { requestScimCheck } from '../../../../../../lib/connections/scim-checks.ts'
import { storeScimKey, toScimApiKey } from '../../../../../../lib/connections/scim-key.ts'

const body = z.object({ apiKey: z.string() })

/** Seals and stores a connection's SCIM API key in place of the one before, and has it tried out. The key is in no reply. */
export const POST = connectionWriteRoute({ role: 'admin', body }, async ({ session, connection, body: { apiKey } }) => {
  const { organizationId, userId } = session
  const page = `/connections/${connection.id}/scim`
  const key = toScimApiKey(apiKey)
  if (key === null) return redirectTo(`${page}?key=refused`)
  await storeScimKey(organizationId, connection.id, key, { changedBy: userId, publicKeys: sealingKeys() })
  await requestScimCheck(organizationId, connection.id, userId)
  return redirectTo(`${page}?key=stored`)
})
