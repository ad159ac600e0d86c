import type { Actor } from '#lib/audit/model.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { isConnected } from '#lib/connections/states.ts'
import { done, type Outcome, refused } from '#lib/http/outcome.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { SyncKind } from '#lib/sync/model.ts'
import { controlRun, type RunControl } from '#lib/sync/runs/control-run.ts'

type Wish = {
  session: { organizationId: OrganizationId }
  actor: Actor
  connection: ConnectionSummary
}

/** Pauses, resumes or cancels the connection's sync: `{runId}`, or 409 when no run allows it. */
export function toRunControl(control: RunControl) {
  return async ({ session, actor, connection: { id } }: Wish): Promise<Outcome> => {
    const changed = await controlRun(session.organizationId, id, control, actor)
    return changed === null
      ? refused(['sync', id], 'conflict', 'No sync can do this now.', {})
      : done(['sync', id], changed)
  }
}

/**
 * Queues a sync or joins the one under way: `{runId, joined}`, or 409 when the connection must be
 * reconnected first.
 */
export function toSyncWish(kind?: SyncKind) {
  return async ({ session, actor, connection }: Wish): Promise<Outcome> => {
    const page = ['sync', connection.id] as const
    if (!isConnected(connection)) return refused(page, 'connection-needs-reconnect', 'Reconnect it first.', {})
    const wish = { trigger: 'manual', requestedBy: actor, kind } as const
    return done(page, await requestSync(session.organizationId, connection.id, wish))
  }
}
