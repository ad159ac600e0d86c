/** What becomes of a connection's runs when it is disconnected. */

import type { Sql } from '#lib/db/tenant.ts'
import { ERROR_CATALOG } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { SQL_OPEN } from './run-status.ts'

/**
 * Ends every run that could go on: the new fence keeps a worker that is in the middle of a page
 * from storing it.
 */
export async function endRuns(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await sql(
    `update sync_run set status = 'failed', fence = fence + 1, finished_at = now(), lease_until = null,
            error_code = 'connection-disconnected', error_text = $3
     where organization_id = $1 and connection_id = $2 and status in ${SQL_OPEN}`,
    [organizationId, connectionId, ERROR_CATALOG['connection-disconnected'].text],
  )
}

/**
 * Notes that nothing is left of what the connection's runs have read: none of them goes on, none
 * counts as a reading of everything, and a loss that one of them holds is nobody's to decide. The
 * database itself refuses to let a run go on that has this mark (`sync_run_of_erased_data`): it
 * would begin in the middle of an empty ledger.
 */
export async function voidRuns(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await endRuns(sql, organizationId, connectionId)
  await sql(
    `update sync_loss set decision = 'superseded', decided_at = now()
     where organization_id = $1 and connection_id = $2 and decision is null`,
    [organizationId, connectionId],
  )
  await sql(
    `update sync_run set data_erased_at = clock_timestamp(), status = case status when 'held' then 'succeeded' else status end
     where organization_id = $1 and connection_id = $2 and data_erased_at is null`,
    [organizationId, connectionId],
  )
}
