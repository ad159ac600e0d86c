/**
 * One click on "Connect account": who asked, in which session, with which OAuth state. A callback counts only when it
 * belongs to such a row, once, and within ten minutes (docs/decisions/005-connect-flow.md). Ids and states are stored as
 * hashes only.
 */
import { withSystemSql, withTenantSql } from '../db/tenant.ts'
import type { ConnectOutcomeKey } from './connect-outcomes.ts'
import { hashSecret } from './secret-hash.ts'

export const INTENT_LIFETIME_MS = 10 * 60_000

export type ConnectIntent = {
  organizationId: string
  idHash: string
  userId: string
  sessionIdHash: string
  /** The connection to be connected again, or null for a new one. */
  connectionId: string | null
  stateHash: string | null
  expiresAt: Date
  spentAt: Date | null
}

type NewIntent = {
  organizationId: string
  userId: string
  sessionIdHash: string
  connectionId: string | null
  /** The intent's secret id, which goes into the browser's cookie. */
  id: string
  /** The state that goes to the platform and comes back. */
  state: string
}

/** Stores an intent, and forgets the organization's intents of more than a day ago. */
export async function createIntent(intent: NewIntent, now: Date): Promise<void> {
  const { organizationId } = intent
  await withTenantSql(organizationId, async (sql) => {
    const dayAgo = new Date(now.getTime() - 86_400_000)
    await sql('delete from connect_intent where organization_id = $1 and expires_at < $2', [organizationId, dayAgo])
    await sql(
      `insert into connect_intent
         (organization_id, id_hash, user_id, session_id_hash, connection_id, state_hash, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        organizationId,
        hashSecret(intent.id),
        intent.userId,
        intent.sessionIdHash,
        intent.connectionId,
        hashSecret(intent.state),
        now,
        new Date(now.getTime() + INTENT_LIFETIME_MS),
      ],
    )
  })
}

/**
 * The intent that a browser's cookie names, of whatever organization, or null. It is looked up across organizations so that
 * a browser in which somebody else has signed in meanwhile is told so; the caller compares user, session and organization.
 */
export async function findIntent(id: string): Promise<ConnectIntent | null> {
  const [intent] = await withSystemSql((sql) =>
    sql<ConnectIntent>(
      `select organization_id as "organizationId", id_hash as "idHash", user_id as "userId",
              session_id_hash as "sessionIdHash", connection_id as "connectionId", state_hash as "stateHash",
              expires_at as "expiresAt", spent_at as "spentAt"
       from connect_intent where id_hash = $1`,
      [hashSecret(id)],
    ),
  )
  return intent ?? null
}

/** Spends an intent: true for exactly one caller, however many try at once. `outcome` is null while it is not known. */
export async function spendIntent(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash'>,
  outcome: ConnectOutcomeKey | null,
  now: Date,
): Promise<boolean> {
  const spent = await withTenantSql(intent.organizationId, (sql) =>
    sql(
      `update connect_intent set spent_at = $3, outcome = $4
       where organization_id = $1 and id_hash = $2 and spent_at is null and expires_at > $3 returning 1 as spent`,
      [intent.organizationId, intent.idHash, now, outcome],
    ),
  )
  return spent.length === 1
}

/** Notes how a spent intent ended; for operators who look into a complaint. */
export async function noteIntentOutcome(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash'>,
  outcome: ConnectOutcomeKey,
): Promise<void> {
  await withTenantSql(intent.organizationId, (sql) =>
    sql('update connect_intent set outcome = $3 where organization_id = $1 and id_hash = $2', [
      intent.organizationId,
      intent.idHash,
      outcome,
    ]),
  )
}
