import { type Actor, userIdOf, WORKER } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { recordEvent } from '#lib/connections/events/history.ts'
import { OPEN_STATUSES } from '#lib/connections/runs/run-status.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { RunStatus } from '#lib/reconcile/sync-run.ts'
import { planNextSync } from './next-sync.ts'

/** What people can do with a connection's run. */
const RUN_CONTROLS = ['pause', 'resume', 'cancel'] as const
export type RunControl = (typeof RUN_CONTROLS)[number]

// A new fence takes the run from its worker: the page in hand is not committed, and the next is not
// asked for.
const CHANGE: Record<RunControl, { from: readonly RunStatus[]; set: string; connection?: string }> = {
  pause: { from: ['queued', 'running'], set: `status = 'paused', fence = fence + 1, lease_until = null` },
  resume: {
    from: ['paused'],
    set: `status = 'queued', attempts = 0, error_code = null, error_text = null`,
    connection: `state = 'active'`,
  },
  cancel: {
    from: OPEN_STATUSES,
    set: `status = 'canceled', fence = fence + 1, lease_until = null, finished_at = now()`,
  },
}

const ACTIONS = { pause: 'sync.paused', resume: 'sync.resumed', cancel: 'sync.canceled' } as const
const EVENTS = { pause: 'sync_paused', resume: 'sync_continued', cancel: 'sync_canceled' } as const

/**
 * Pauses, resumes or cancels a connection's run, at once, between two pages. Committed pages stay.
 * A paused run goes on from there if the connection is active. A canceled run is over; the schedule
 * starts the next. Null when there is no such run to control. The connection's history and
 * the audit record `actor`.
 */
export function controlRun(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  control: RunControl,
  actor: Actor = WORKER,
): Promise<{ runId: RunId } | null> {
  const { from, set, connection = 'true' } = CHANGE[control]
  return withTenantSql(organizationId, async (sql) => {
    const [run] = await sql<{ id: string }>(
      `update sync_run set ${set} where organization_id = $1 and connection_id = $2 and status = any($3::text[])
         and exists (select from connection where organization_id = $1 and id = $2 and ${connection})
       returning id::text as id`,
      [organizationId, connectionId, from],
    )
    if (run === undefined) return null
    await recordEvent(sql, organizationId, connectionId, { kind: EVENTS[control], actorId: userIdOf(actor) })
    if (control === 'resume') await wakeWorkers(sql)
    // keeps the next sweep from asking for a canceled backfill again
    if (control === 'cancel') await planNextSync(sql, { organizationId, connectionId }, new Date(), { isAtLeast: true })
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: ACTIONS[control],
      after: { run: run.id },
    })
    return { runId: run.id }
  })
}
