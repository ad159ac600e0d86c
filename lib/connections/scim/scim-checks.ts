/** Wishes to ask the SCIM endpoints: web processes request, workers claim, one per connection. */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { type Sql, withSystemSql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { isDisconnected, type StoredState } from '../states.ts'

/** Longer than the deadlines of three endpoints together. */
const LEASE_SECONDS = 90
/** After this many dead workers, a check fails. */
const MAX_ATTEMPTS = 3

export type RequestedScimCheck = { checkId: string; joined: boolean }

export type ScimCheckFailure = 'no_key' | 'key_unreadable' | 'not_configured' | 'interrupted'

/** A check that this worker holds while `fence` is the current one. */
export type ClaimedScimCheck = { organizationId: OrganizationId; id: string; connectionId: ConnectionId; fence: string }

/**
 * Queues a check and wakes a worker, or joins the one under way. Null when the organization has no
 * such connection; `disconnected`, with nothing queued, when it is disconnected or being
 * disconnected.
 */
export async function requestScimCheck(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  requestedBy: Actor,
): Promise<RequestedScimCheck | 'disconnected' | null> {
  return withTenant(organizationId, async (records, sql) => {
    // the lock lets the second of two wishes see the first one's check
    const [connection] = await sql<{ state: StoredState }>(
      'select state from connection where organization_id = $1 and id = $2 for update',
      [organizationId, connectionId],
    )
    if (connection === undefined) return null
    if (isDisconnected(connection.state)) return 'disconnected'
    const underWay = await records.scimCheck.findFirst({
      where: { organizationId, connectionId, status: { in: ['queued', 'running'] } },
      select: { id: true },
    })
    if (underWay) return { checkId: underWay.id, joined: true }
    const [queued] = await sql<{ id: string }>(
      `insert into scim_check (organization_id, connection_id, requested_by) values ($1, $2, $3) returning id`,
      [organizationId, connectionId, userIdOf(requestedBy)],
    )
    await wakeWorkers(sql)
    await auditConnection(sql, organizationId, connectionId, {
      actor: requestedBy,
      action: 'connection.scim-checked',
    })
    return { checkId: (queued as { id: string }).id, joined: false }
  })
}

/**
 * Claims the oldest check of any organization that is queued or that a dead worker left behind (by
 * the database's clock), under a new fence. Fails checks whose workers died too often. Null when
 * there is nothing to do.
 */
export async function claimScimCheck(): Promise<ClaimedScimCheck | null> {
  return withSystemSql(async (sql) => {
    await sql(
      `update scim_check set status = 'failed', failure = 'interrupted', finished_at = now()
       where status = 'running' and lease_until <= now() and attempts >= $1`,
      [MAX_ATTEMPTS],
    )
    return claim<ClaimedScimCheck>(sql, {
      table: 'scim_check',
      key: 'organization_id, id',
      isDue: `status = 'queued' or (status = 'running' and lease_until <= now())`,
      order: 'requested_at',
      hold: `status = 'running', fence = fence + 1, attempts = attempts + 1,
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), started_at = least(started_at, now())`,
      returning: `organization_id as "organizationId", id, connection_id as "connectionId", fence::text`,
    })
  })
}

/** Ends the check under way, because the key is gone. Its worker stores nothing more. */
export async function endScimChecks(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<void> {
  await sql(
    `update scim_check set status = 'failed', failure = 'no_key', finished_at = now(), lease_until = null
     where organization_id = $1 and connection_id = $2 and status in ('queued', 'running')`,
    [organizationId, connectionId],
  )
}

/** Ends a check that could ask nothing. Does nothing once another worker has taken over. */
export async function failScimCheck(check: ClaimedScimCheck, failure: ScimCheckFailure): Promise<void> {
  await withTenantSql(check.organizationId, (sql) =>
    sql(
      `update scim_check set status = 'failed', failure = $4, finished_at = now(), lease_until = null
       where organization_id = $1 and id = $2 and fence = $3 and status = 'running'`,
      [check.organizationId, check.id, check.fence, failure],
    ),
  )
}
