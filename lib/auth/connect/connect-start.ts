import type { Actor } from '#lib/audit/model.ts'
import { createIntent, INTENT_LIFETIME_MS } from '#lib/connections/life/connect-intents.ts'
import { makeSecret } from '#lib/connections/secret-hash.ts'
import { requireSetting } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { CALLBACK_PATH, cookieNames, toSetCookie } from '#lib/http/cookies.ts'
import { leaveTo } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { AppSession } from '../model.ts'
import { connectOptions, PARTNER_PROVIDER } from './connect-options.ts'
import { driveNextAuth } from './drive-next-auth.ts'

/**
 * Starts connecting: stores an intent bound to the session and next-auth's new state, and sends the
 * browser to the platform's consent page. Both go into cookies that only the callback gets.
 * `connectionId` reconnects an existing connection, which the caller has checked to be the
 * organization's.
 */
export async function startConnect(
  session: AppSession,
  actor: Actor,
  connectionId: ConnectionId | null,
  now: Date,
): Promise<Response> {
  const answer = await driveNextAuth(
    { method: 'POST', action: 'signin', provider: PARTNER_PROVIDER },
    connectOptions(async () => {
      throw new Error('no code is expected while connecting starts')
    }),
  )
  const stateCookie = answer.setCookies.get(cookieNames().connectState)
  const state = readState(answer.location)
  if (stateCookie === undefined || state === null)
    throw new OperationalError('internal', 'next-auth did not prepare the way to the consent page')
  const id = makeSecret()
  const { organizationId, userId, sessionIdHash } = session
  await createIntent({ organizationId, userId, sessionIdHash, connectionId, id, state, actor }, now)
  // write spaces between scopes as %20, which all servers read alike; a literal plus is %2B
  return leaveTo((answer.location as string).replaceAll('+', '%20'), [
    stateCookie,
    toSetCookie(cookieNames().intent, id, CALLBACK_PATH, INTENT_LIFETIME_MS / 1000),
  ])
}

/** The state in an address of the platform's consent page; null for any other address. */
function readState(location: string | null): string | null {
  if (location === null || !URL.canParse(location)) return null
  const url = new URL(location)
  const state = url.searchParams.get('state')
  return url.origin === new URL(requireSetting('partner').authUrl).origin && state ? state : null
}
