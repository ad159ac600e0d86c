import * as z from 'zod'
import { connectionWriteRoute, noSuchConnection } from '#lib/auth/doors/api-route.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { sealingKeys } from '#lib/connections/tokens/key-ring.ts'
import { storeScimKey, toScimApiKey } from '#lib/connections/tokens/scim-key.ts'
import { landAt, refused } from '#lib/http/outcome.ts'

const body = z.object({ apiKey: z.string() })

/**
 * Seals and stores a connection's SCIM API key, replacing the one before, and queues a check. No
 * reply contains the key.
 */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body: { apiKey } }) => {
    const { organizationId } = session
    const page = ['scim', connection.id] as const
    const key = toScimApiKey(apiKey)
    if (key === null) return landAt(page, { query: 'key=refused' })
    const options = { changedBy: actor, publicKeys: sealingKeys() }
    const stored = await storeScimKey(organizationId, connection.id, key, options)
    if (stored === 'missing') return noSuchConnection()
    if (stored === 'disconnected') {
      const text = 'Nothing was stored: this account is disconnected. Reconnect it first.'
      return refused(page, 'connection-disconnected', text, { query: 'key=disconnected' })
    }
    await requestScimCheck(organizationId, connection.id, actor)
    return landAt(page, { query: 'key=stored' })
  },
)
