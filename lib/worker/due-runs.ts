import { withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId, RunId } from '#lib/ids.ts'

export type DueRun = { organizationId: OrganizationId; runId: RunId; fence: string }

/** All organizations' runs to take now: queued, or left by a worker whose lease ran out. */
export function listDueRuns(): Promise<DueRun[]> {
  return withSystemSql(async (sql) => {
    const rows = await sql<{ organization_id: string; id: string; fence: string }>(
      `select organization_id, id, fence from sync_run
       where status = 'queued' or (status = 'running' and coalesce(lease_until, '-infinity') <= now())
       order by requested_at limit 1000`,
    )
    return rows.map((row) => ({ organizationId: row.organization_id, runId: row.id, fence: row.fence }))
  })
}
