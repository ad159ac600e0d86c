import { WORKER } from '#lib/audit/model.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ClaimedDisconnect } from '../claims.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { listSpooled, removeSpooled } from '../tokens/spool.ts'

export type LinkEnd = 'revoked' | 'already_dead' | 'expired' | 'unreadable' | 'no_tokens'

/**
 * Notes how the link ended and destroys all the connection's tokens in one transaction: its
 * credential, a waiting consent, and kept answers of the token endpoint. Keeps the last generation
 * number so that it is never reused. False, with nothing changed, once another worker has taken
 * over.
 */
export async function destroyTokens(wish: ClaimedDisconnect, outcome: LinkEnd, isInDoubt = false): Promise<boolean> {
  const { organizationId, connectionId } = wish
  const key = [organizationId, connectionId]
  const isDone = await withTenantSql(organizationId, async (sql) => {
    const [held] = await sql(
      `update disconnection set outcome = $4, tokens_destroyed_at = statement_timestamp(), last_problem = null
       where organization_id = $1 and id = $2 and fence = $3 and outcome is null returning 1 as held`,
      [organizationId, wish.id, wish.fence, outcome],
    )
    if (held === undefined) return false
    await sql(
      `update connection c set last_generation = greatest(c.last_generation,
         (select max(generation) from connection_credential where organization_id = $1 and connection_id = $2),
         (select max(generation) from refresh_attempt where organization_id = $1 and connection_id = $2))
       where c.organization_id = $1 and c.id = $2`,
      key,
    )
    const destroyed = await sql(
      'delete from connection_credential where organization_id = $1 and connection_id = $2 returning 1 as gone',
      key,
    )
    await sql('delete from connection_candidate where organization_id = $1 and connection_id = $2', key)
    await sql(
      `update refresh_attempt set sealed_answer = null, answer_key_id = null
       where organization_id = $1 and connection_id = $2 and sealed_answer is not null`,
      key,
    )
    // in doubt: the platform may still list an integration whose newest tokens never arrived here
    const detail = isInDoubt ? 'in_doubt' : null
    await recordEvent(sql, organizationId, connectionId, { kind: 'link_ended', cause: outcome, detail })
    if (destroyed.length > 0) await recordEvent(sql, organizationId, connectionId, { kind: 'tokens_destroyed' })
    await auditConnection(sql, organizationId, connectionId, {
      actor: WORKER,
      action: 'connection.link-ended',
      after: { outcome, isInDoubt },
    })
    return true
  })
  if (isDone) for (const file of await listSpooled(connectionId)) await removeSpooled(file)
  return isDone
}
