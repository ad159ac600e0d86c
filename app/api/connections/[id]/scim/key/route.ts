import { z } from 'zod'
import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { sealingKeys } from '../../../../../../lib/connections/key-ring.ts'
import { requestScimCheck } from '../../../../../../lib/connections/scim-checks.ts'
import { storeScimKey, toScimApiKey } from '../../../../../../lib/connections/scim-key.ts'

const body = z.object({ apiKey: z.string() })

/** Seals and stores a connection's SCIM API key in place of the one before, and has it tried out. The key is in no reply. */
export const POST = apiRoute({ role: 'admin', mutation: true, body }, async ({ session, params, body: { apiKey } }) => {
  const { organizationId, userId } = session
  const connectionId = params.id ?? ''
  const page = `/connections/${encodeURIComponent(connectionId)}/scim`
  const key = toScimApiKey(apiKey)
  if (key === null) return redirectTo(`${page}?key=refused`)
  const options = { changedBy: userId, publicKeys: sealingKeys() }
  if (!(await storeScimKey(organizationId, connectionId, key, options)))
    return errorReply(404, 'not-found', 'There is no such connection.')
  await requestScimCheck(organizationId, connectionId, userId)
  return redirectTo(`${page}?key=stored`)
})
