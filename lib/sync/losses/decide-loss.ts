import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { recordEvent } from '#lib/connections/events/history.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { type CompleteReading, closeUnmetRejections, markMissing } from '#lib/ledger/apply/mark-missing.ts'
import type { MassLoss } from '../model.ts'
import { toScope } from '../windows/complete-scope.ts'
import { listWindows } from '../windows/window-store.ts'

/** The loss that awaits an admin's decision; null when there is none. */
export async function getOpenLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<MassLoss | null> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<Omit<MassLoss, 'foundAt'> & { foundAt: Date }>(
      `select run_id as "runId", found_at as "foundAt", line_count as "lineCount", missing_lines as "missingLines",
              invoice_count as "invoiceCount", missing_invoices as "missingInvoices", totals
       from sync_loss where organization_id = $1 and connection_id = $2 and decision is null order by found_at desc limit 1`,
      [organizationId, connectionId],
    ),
  )
  return row === undefined ? null : { ...row, foundAt: row.foundAt.toISOString() }
}

/**
 * Records an admin's decision on a held loss. Accepted: what neither the run nor a later one found
 * is marked missing (softly). Rejected: everything stays until the next complete reading. False
 * when there is nothing left to decide. The connection's history gets the decision and the number
 * of lines and invoices marked.
 */
export function decideLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
  { decision, actor }: { decision: 'accepted' | 'rejected'; actor: Actor },
): Promise<boolean> {
  const userId = userIdOf(actor)
  return withTenantSql(organizationId, async (sql) => {
    const decided = await sql(
      `update sync_loss set decision = $4, decided_by = $5, decided_at = now()
       where organization_id = $1 and connection_id = $2 and run_id = $3 and decision is null returning run_id`,
      [organizationId, connectionId, runId, decision, userId],
    )
    if (decided.length === 0) return false
    const marked = decision === 'accepted' ? await markLoss(sql, organizationId, connectionId, runId) : [0, 0]
    const kind = decision === 'accepted' ? 'loss_marked' : 'loss_kept'
    await recordEvent(sql, organizationId, connectionId, { kind, actorId: userId, detail: marked.join(' ') })
    await sql(
      `update sync_run set status = 'succeeded', lines_missing = $3, invoices_missing = $4
       where organization_id = $1 and id = $2 and status = 'held'`,
      [organizationId, runId, ...marked],
    )
    const [lines, invoices] = marked
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: decision === 'accepted' ? 'loss.accepted' : 'loss.refused',
      after: { run: runId, linesMarked: lines, invoicesMarked: invoices },
    })
    return true
  })
}

async function markLoss(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
): Promise<number[]> {
  const [run] = await sql<{ startedAt: Date }>(
    'select started_at as "startedAt" from sync_run where organization_id = $1 and id = $2',
    [organizationId, runId],
  )
  const { startedAt } = run as { startedAt: Date }
  const windows = await listWindows(sql, { organizationId, id: runId })
  const counts: number[] = []
  for (const list of ['lines', 'invoices'] as const) {
    const reading: CompleteReading = { organizationId, connectionId, runId, startedAt, scope: toScope(list, windows) }
    counts.push(await markMissing(sql, list, reading))
    await closeUnmetRejections(sql, list, reading)
  }
  return counts
}
