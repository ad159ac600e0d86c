import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { PartInHand, SyncActivity } from '../model.ts'
import { type RunRow, readRuns, toRunProgress } from './connection-rows.ts'

/** The most parts named on the page when several are read at once. */
const MOST_PARTS = 3

type Row = { at: Date; run: RunRow | null; reading: PartInHand[]; stopped: { by: string | null; at: string } | null }

/**
 * What a connection's newest run is doing. The page asks each second, so every part is an index
 * look-up, however long the run. Null when the organization has no such connection.
 */
export async function getSyncActivity(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<SyncActivity | null> {
  const [row] = await withTenantSql(organizationId, (sql) => sql<Row>(READ, [organizationId, connectionId]))
  if (row === undefined) return null
  return {
    at: row.at.toISOString(),
    run: row.run && toRunProgress(row.run),
    reading: row.reading,
    stopped: row.stopped && { ...row.stopped, at: new Date(row.stopped.at).toISOString() },
  }
}

const READ = `
  select now() as at, row_to_json(r) as run,
         coalesce((
           select json_agg(json_build_object(
             'list', w.list, 'issuedFrom', w.issued_from, 'issuedUpto', w.issued_upto, 'invoiceStatus', w.invoice_status,
             'serialNumber', w.serial_number, 'pass', w.pass) order by w.started_at)
           from (select * from sync_window w
                 where w.organization_id = $1 and w.run_id = r.id and r.status in ('running', 'paused') and w.state = 'reading'
                 limit ${MOST_PARTS}) w), '[]') as reading,
         case when r.status in ('paused', 'canceled') then (
           select json_build_object('by', e.actor_name, 'at', e.happened_at) from connection_event e
           where e.organization_id = $1 and e.connection_id = c.id and e.happened_at >= r.requested_at
             and e.kind = case r.status when 'paused' then 'sync_paused' else 'sync_canceled' end
           order by e.happened_at desc, e.number desc limit 1) end as stopped
  from connection c
  left join lateral (${readRuns(`(select s.* from sync_run s
    where s.organization_id = $1 and s.connection_id = c.id order by s.requested_at desc limit 1)`)}) r on true
  where c.organization_id = $1 and c.id = $2`
