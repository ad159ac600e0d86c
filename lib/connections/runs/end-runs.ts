/** What happens to a connection's runs when it is disconnected. */

import type { Sql } from '#lib/db/tenant.ts'
import { ERROR_CATALOG } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { SQL_OPEN } from './run-status.ts'

/** Ends every run that could continue. The new fence stops a worker from storing a page in hand. */
export async function endRuns(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await sql(
    `update sync_run set status = 'failed', fence = fence + 1, finished_at = now(), lease_until = null,
            error_code = 'connection-disconnected', error_text = $3
     where organization_id = $1 and connection_id = $2 and status in ${SQL_OPEN}`,
    [organizationId, connectionId, ERROR_CATALOG['connection-disconnected'].text],
  )
}

/**
 * Notes that nothing is left of what the connection's runs read. None of them continues, none
 * counts as a reading, and a held loss needs no decision any more. The database itself refuses
 * to continue a run with this mark (`sync_run_of_erased_data`), which would start in the middle of
 * an empty ledger.
 */
export async function voidRuns(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await endRuns(sql, organizationId, connectionId)
  await sql(
    `update sync_loss set decision = 'superseded', decided_at = now()
     where organization_id = $1 and connection_id = $2 and decision is null`,
    [organizationId, connectionId],
  )
  await sql(
    `update sync_run set data_erased_at = statement_timestamp(), status = case when status = 'held' then 'succeeded' else status end
     where organization_id = $1 and connection_id = $2 and data_erased_at is null`,
    [organizationId, connectionId],
  )
  await sql(
    `update connection set looked_back_at = null, next_look_back_at = null, verified_at = null, next_verification_at = null,
            lines_followed_upto = null
     where organization_id = $1 and id = $2`,
    [organizationId, connectionId],
  )
}
