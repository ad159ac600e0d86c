/**
 * One click on "Connect account": who asked, in which session, with which OAuth state. A callback
 * must match such a row, and counts once, within ten minutes (docs/decisions/005-connect-flow.md).
 * Ids and states are stored only as hashes.
 */

import { withSystem, withTenant } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { ConnectOutcomeKey } from '../connect-outcomes.ts'
import { hashSecret } from '../secret-hash.ts'

export const INTENT_LIFETIME_MS = 10 * 60_000

export type ConnectIntent = {
  organizationId: OrganizationId
  idHash: string
  userId: UserId
  sessionIdHash: string
  /** The connection to reconnect, or null for a new one. */
  connectionId: ConnectionId | null
  stateHash: string | null
  expiresAt: Date
  spentAt: Date | null
}

type NewIntent = {
  organizationId: OrganizationId
  userId: UserId
  sessionIdHash: string
  connectionId: ConnectionId | null
  /** The intent's secret id, which goes into the browser's cookie. */
  id: string
  /** The state sent to the platform, which sends it back. */
  state: string
}

/** Stores an intent, and deletes the organization's intents that ended more than a day ago. */
export async function createIntent(intent: NewIntent, now: Date): Promise<void> {
  const { organizationId, userId, sessionIdHash, connectionId } = intent
  await withTenant(organizationId, async (records) => {
    const dayAgo = new Date(now.getTime() - 86_400_000)
    await records.connectIntent.deleteMany({ where: { organizationId, expiresAt: { lt: dayAgo } } })
    await records.connectIntent.createMany({
      data: {
        organizationId,
        idHash: hashSecret(intent.id),
        userId,
        sessionIdHash,
        connectionId,
        stateHash: hashSecret(intent.state),
        createdAt: now,
        expiresAt: new Date(now.getTime() + INTENT_LIFETIME_MS),
      },
    })
  })
}

/**
 * The intent that a browser's cookie names, from any organization, or null. Looking across
 * organizations lets us tell a browser that someone else has signed in meanwhile. The caller
 * compares user, session and organization.
 */
export async function findIntent(id: string): Promise<ConnectIntent | null> {
  const intent = await withSystem((records) =>
    records.connectIntent.findFirst({ where: { idHash: hashSecret(id) }, omit: { createdAt: true, outcome: true } }),
  )
  return intent && { ...intent, connectionId: intent.connectionId as ConnectionId | null }
}

/** Spends an intent: true for exactly one caller. `outcome` is null until it is known. */
export async function spendIntent(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash'>,
  outcome: ConnectOutcomeKey | null,
  now: Date,
): Promise<boolean> {
  const { organizationId, idHash } = intent
  const spent = await withTenant(organizationId, (records) =>
    records.connectIntent.updateMany({
      where: { organizationId, idHash, spentAt: null, expiresAt: { gt: now } },
      data: { spentAt: now, outcome },
    }),
  )
  return spent.count === 1
}

/** Notes how a spent intent ended, for operators who look into a complaint. */
export async function noteIntentOutcome(
  { organizationId, idHash }: Pick<ConnectIntent, 'organizationId' | 'idHash'>,
  outcome: ConnectOutcomeKey,
): Promise<void> {
  await withTenant(organizationId, (records) =>
    records.connectIntent.updateMany({ where: { organizationId, idHash }, data: { outcome } }),
  )
}
