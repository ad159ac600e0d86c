import type { Actor } from '#lib/audit/model.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { isConnected } from '#lib/connections/states.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { SyncKind } from '#lib/sync/model.ts'
import { controlRun, type RunControl } from '#lib/sync/runs/control-run.ts'

type Wish = {
  session: { organizationId: OrganizationId }
  actor: Actor
  connection: ConnectionSummary
  /** A form is sent back to the page, a script gets a value. */
  isForm: boolean
}

const pageOf = ({ id }: ConnectionSummary) => `/connections/${id}#sync`

/** Pauses, resumes or cancels the connection's sync: `{runId}`, or 409 when no run allows it. */
export function toRunControl(control: RunControl) {
  return async ({ session, actor, connection, isForm }: Wish): Promise<unknown> => {
    const changed = await controlRun(session.organizationId, connection.id, control, actor)
    if (isForm) return redirectTo(pageOf(connection))
    return changed ?? errorReply(409, 'conflict', 'No sync can do this now.')
  }
}

/**
 * Queues a sync or joins the one under way: `{runId, joined}`, or 409 when the connection must be
 * reconnected first.
 */
export function toSyncWish(kind?: SyncKind) {
  return async ({ session, actor, connection, isForm }: Wish): Promise<unknown> => {
    const page = pageOf(connection)
    if (!isConnected(connection))
      return isForm ? redirectTo(page) : errorReply(409, 'connection-needs-reconnect', 'Reconnect it first.')
    const wish = { trigger: 'manual', requestedBy: actor, kind } as const
    const requested = await requestSync(session.organizationId, connection.id, wish)
    return isForm ? redirectTo(page) : requested
  }
}
