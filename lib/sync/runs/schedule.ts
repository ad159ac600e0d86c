import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { SQL_OPEN } from '#lib/connections/runs/run-status.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { SyncKind } from '../model.ts'
import { planNextSync } from './next-sync.ts'

type DueConnection = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  isVerificationDue: boolean
  isLookBackDue: boolean
  isHintOnly: boolean
}

/**
 * Requests the syncs due at `now`, for active connections: those whose time has come, and those
 * the platform has hinted at. A sync reads changes, or all lines of the look-back window or
 * everything if these are due nearer to it than to the next one. Skips connections with a run
 * under way or paused. Returns how many it requested. Any number of workers may call it at once:
 * requests for one connection join.
 */
export async function requestDueSyncs(now: Date): Promise<number> {
  const due = await withSystemSql((sql) =>
    sql<DueConnection>(
      `select c.organization_id as "organizationId", c.id as "connectionId",
              coalesce(${isNear('c.next_verification_at')}, false) as "isVerificationDue",
              coalesce(${isNear('c.next_look_back_at')}, true) as "isLookBackDue",
              coalesce(c.next_sync_at > $1, false) as "isHintOnly"
       from connection c
       where c.state = 'active'
         and (c.next_sync_at is null or c.next_sync_at <= $1
              or exists (select from sync_hint h where h.organization_id = c.organization_id and h.connection_id = c.id
                           and h.handled_at is null))
         and not exists (select from sync_run r where r.organization_id = c.organization_id and r.connection_id = c.id
                           and r.status in ${SQL_OPEN})
       order by c.next_sync_at nulls first limit 100`,
      [now],
    ),
  )
  let asked = 0
  for (const connection of due) {
    const { organizationId, connectionId } = connection
    const kind = toKind(connection)
    const { joined } = await requestSync(organizationId, connectionId, { trigger: 'schedule', requestedBy: null, kind })
    if (joined) continue
    asked += 1
    log.info({ connection: connectionId, kind }, 'sync is due')
    // a run plans the next one when it ends; this covers a run that never gets there
    if (!connection.isHintOnly)
      await withTenantSql(organizationId, (sql) => planNextSync(sql, connection, now, { isAtLeast: true }))
  }
  return asked
}

/** SQL: a moment before the middle of this sync and the next one. Null if it is not planned. */
function isNear(moment: string): string {
  return `${moment} <= $1::timestamptz + c.sync_every_minutes * interval '1 minute' / 2`
}

function toKind({ isHintOnly, isVerificationDue, isLookBackDue }: DueConnection): SyncKind {
  if (isHintOnly) return 'invoices'
  if (isVerificationDue) return 'verification'
  return isLookBackDue ? 'incremental' : 'changes'
}
