/**
 * One click on "Connect account": who asked, in which session, with which OAuth state. A callback
 * must match such a row, and counts once, within ten minutes (docs/decisions/005-connect-flow.md).
 * Ids and states are stored only as hashes.
 */

import type { Actor } from '#lib/audit/model.ts'
import { type Sql, withSystem, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { ConnectOutcomeKey } from '../connect-outcomes.ts'
import { auditConnection } from '../events/audit-connection.ts'
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
  /** How it ended; null until that is known. */
  outcome: string | null
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
  actor: Actor
}

/** An intent that ends, and who ended it. */
type EndedIntent = Pick<ConnectIntent, 'organizationId' | 'idHash' | 'connectionId'> & { actor: Actor }

/** Stores an intent, and deletes the organization's intents that ended more than a day ago. */
export async function createIntent(intent: NewIntent, now: Date): Promise<void> {
  const { organizationId, userId, sessionIdHash, connectionId, actor } = intent
  await withTenant(organizationId, async (records, sql) => {
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
    await auditConnection(sql, organizationId, connectionId, { actor, action: 'connection.connect-started' })
  })
}

/**
 * The intent that a browser's cookie names, from any organization, or null. Looking across
 * organizations lets us tell a browser that someone else has signed in meanwhile. The caller
 * compares user, session and organization.
 */
export async function findIntent(id: string): Promise<ConnectIntent | null> {
  const intent = await withSystem((records) =>
    records.connectIntent.findFirst({ where: { idHash: hashSecret(id) }, omit: { createdAt: true } }),
  )
  return intent && { ...intent, connectionId: intent.connectionId as ConnectionId | null }
}

/** The spent intent of a session that sent this state to the platform, or null. */
export async function findSpentIntent(
  { organizationId, userId, sessionIdHash }: Pick<ConnectIntent, 'organizationId' | 'userId' | 'sessionIdHash'>,
  state: string,
): Promise<ConnectIntent | null> {
  const intent = await withTenant(organizationId, (records) =>
    records.connectIntent.findFirst({
      where: { organizationId, userId, sessionIdHash, stateHash: hashSecret(state), spentAt: { not: null } },
      omit: { createdAt: true },
    }),
  )
  return intent && { ...intent, connectionId: intent.connectionId as ConnectionId | null }
}

/** Spends an intent: true for exactly one caller. `outcome` is null until it is known. */
export async function spendIntent(intent: EndedIntent, outcome: ConnectOutcomeKey | null, now: Date): Promise<boolean> {
  const { organizationId, idHash } = intent
  return withTenant(organizationId, async (records, sql) => {
    const spent = await records.connectIntent.updateMany({
      where: { organizationId, idHash, spentAt: null, expiresAt: { gt: now } },
      data: { spentAt: now, outcome },
    })
    if (spent.count !== 1) return false
    if (outcome !== null) await auditRefusal(sql, intent, outcome)
    return true
  })
}

/** Notes why a spent intent ended without tokens, for operators who look into a complaint. */
export async function noteIntentOutcome(intent: EndedIntent, outcome: ConnectOutcomeKey): Promise<void> {
  const { organizationId, idHash } = intent
  await withTenant(organizationId, async (records, sql) => {
    await records.connectIntent.updateMany({ where: { organizationId, idHash }, data: { outcome } })
    await auditRefusal(sql, intent, outcome)
  })
}

/** Notes an answer of the platform that was not taken; no intent has changed. */
export async function noteRefusal(refused: Omit<EndedIntent, 'idHash'>, outcome: ConnectOutcomeKey): Promise<void> {
  await withTenantSql(refused.organizationId, (sql) => auditRefusal(sql, refused, outcome))
}

function auditRefusal(
  sql: Sql,
  { organizationId, connectionId, actor }: Omit<EndedIntent, 'idHash'>,
  reason: ConnectOutcomeKey,
): Promise<void> {
  const action = 'connection.connect-refused'
  return auditConnection(sql, organizationId, connectionId, { actor, action, after: { reason } })
}
