import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { type LossFigures, readUnmet } from '#lib/ledger/apply/loss-set.ts'
import type { CompleteReading } from '#lib/ledger/apply/mark-missing.ts'
import { toScope } from '../windows/complete-scope.ts'
import { listWindows } from '../windows/window-store.ts'

/** A loss is named by the run that found it. */
export type LossKey = { organizationId: OrganizationId; connectionId: ConnectionId; runId: RunId }

/**
 * What accepting a held loss would take out of every total, as of now: what neither its run nor a
 * later one has met. Null when there is nothing left to decide. Changes nothing.
 */
export function previewLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
): Promise<LossFigures | null> {
  return withTenantSql(organizationId, async (sql) => {
    const open = await sql(
      'select from sync_loss where organization_id = $1 and connection_id = $2 and run_id = $3 and decision is null',
      [organizationId, connectionId, runId],
    )
    return open.length === 0 ? null : readUnmet(sql, await readingsOf(sql, { organizationId, connectionId, runId }))
  })
}

/** What the run of a loss had read completely. */
export async function readingsOf(
  sql: Sql,
  { organizationId, connectionId, runId }: LossKey,
): Promise<{ lines: CompleteReading; invoices: CompleteReading }> {
  const [run] = await sql<{ startedAt: Date }>(
    'select started_at as "startedAt" from sync_run where organization_id = $1 and id = $2',
    [organizationId, runId],
  )
  const { startedAt } = run as { startedAt: Date }
  const windows = await listWindows(sql, { organizationId, id: runId })
  const of = (list: 'lines' | 'invoices'): CompleteReading => ({
    organizationId,
    connectionId,
    runId,
    startedAt,
    scope: toScope(list, windows),
  })
  return { lines: of('lines'), invoices: of('invoices') }
}
