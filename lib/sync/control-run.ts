import { withTenantSql } from '../db/tenant.ts'

/** What people can do with the run of a connection. */
export const RUN_CONTROLS = ['pause', 'resume', 'cancel'] as const
export type RunControl = (typeof RUN_CONTROLS)[number]

// A new fence takes the run away from its worker: the page in hand is not committed, and the next one is not asked for.
const CHANGE: Record<RunControl, { from: string[]; set: string }> = {
  pause: { from: ['queued', 'running'], set: `status = 'paused', fence = fence + 1, lease_until = null` },
  resume: { from: ['paused'], set: `status = 'queued', attempts = 0, error_code = null, error_text = null` },
  cancel: {
    from: ['queued', 'running', 'paused'],
    set: `status = 'canceled', fence = fence + 1, lease_until = null, finished_at = now()`,
  },
}

/**
 * Pauses, resumes or cancels the run of a connection, at once and between two pages: what is committed stays, a paused run
 * goes on from there. A canceled one is over; the schedule brings the next. Null when there is no run that this applies to.
 */
export function controlRun(
  organizationId: string,
  connectionId: string,
  control: RunControl,
): Promise<{ runId: string } | null> {
  const { from, set } = CHANGE[control]
  return withTenantSql(organizationId, async (sql) => {
    const [run] = await sql<{ id: string }>(
      `update sync_run set ${set} where organization_id = $1 and connection_id = $2 and status = any($3::text[])
       returning id::text as id`,
      [organizationId, connectionId, from],
    )
    if (run === undefined) return null
    if (control === 'resume') await sql(`select pg_notify('tieout_wake', '')`)
    // a canceled backfill is not asked for again by the next sweep
    if (control === 'cancel')
      await sql(
        `update connection set next_sync_at = greatest(next_sync_at, now() + interval '1 hour')
         where organization_id = $1 and id = $2`,
        [organizationId, connectionId],
      )
    return { runId: run.id }
  })
}
