import * as z from 'zod'
import { connectionWriteRoute, noSuchConnection } from '#lib/auth/api-route.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { sealingKeys } from '#lib/connections/tokens/key-ring.ts'
import { storeScimKey, toScimApiKey } from '#lib/connections/tokens/scim-key.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

const body = z.object({ apiKey: z.string() })

/**
 * Seals and stores a connection's SCIM API key, replacing the one before, and queues a check. No
 * reply contains the key.
 */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, isForm, body: { apiKey } }) => {
    const { organizationId } = session
    const page = `/connections/${connection.id}/scim`
    const key = toScimApiKey(apiKey)
    if (key === null) return redirectTo(`${page}?key=refused`)
    const options = { changedBy: actor, publicKeys: sealingKeys() }
    const stored = await storeScimKey(organizationId, connection.id, key, options)
    if (stored === 'missing') return noSuchConnection()
    if (stored === 'disconnected')
      return isForm
        ? redirectTo(`${page}?key=disconnected`)
        : errorReply(
            409,
            'connection-disconnected',
            'Nothing was stored: this account is disconnected. Reconnect it first.',
          )
    await requestScimCheck(organizationId, connection.id, actor)
    return redirectTo(`${page}?key=stored`)
  },
)
