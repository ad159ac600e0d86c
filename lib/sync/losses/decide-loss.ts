import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { recordEvent } from '#lib/connections/events/history.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { readMarked } from '#lib/ledger/apply/loss-set.ts'
import { closeUnmetRejections, markMissing } from '#lib/ledger/apply/mark-missing.ts'
import { countToType, type MassLoss } from '../model.ts'
import { type LossKey, readingsOf } from './preview-loss.ts'

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
 * `set`: the hash of the set that the admin has seen (`previewLoss`). `typed`: the number that they
 * typed for a large one (`countToType`).
 */
export type LossDecision =
  | { decision: 'rejected'; actor: Actor }
  | { decision: 'accepted'; set: string; typed: number | null; actor: Actor }
/**
 * `over`: there is nothing left to decide. Nothing was done if the set is another one than was seen
 * (`changed`), also because a later reading found another loss, or its number was not typed.
 */
export type LossOutcome = 'decided' | 'over' | 'changed' | 'not-typed'

/**
 * Records an admin's decision on a held loss. Accepted: exactly the set that was previewed, what
 * neither the run nor a later one found, is marked missing (softly); another set is left alone.
 * Rejected: everything stays until the next complete reading. The connection's history gets the
 * decision and the number of lines and invoices marked, the audit the money per currency, too.
 */
export async function decideLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
  choice: LossDecision,
): Promise<LossOutcome> {
  try {
    return await withTenantSql(organizationId, (sql) => decide(sql, { organizationId, connectionId, runId }, choice))
  } catch (error) {
    if (error instanceof NotMarked) return error.outcome
    throw error
  }
}

/** Thrown to undo what was marked: it is not what the admin has seen, or said. */
class NotMarked extends Error {
  readonly outcome: 'changed' | 'not-typed'
  constructor(outcome: 'changed' | 'not-typed') {
    super(outcome)
    this.outcome = outcome
  }
}

const KEPT = { lineCount: 0, invoiceCount: 0, totals: null }

async function decide(sql: Sql, loss: LossKey, choice: LossDecision): Promise<LossOutcome> {
  const { organizationId, connectionId, runId } = loss
  const { decision, actor } = choice
  const userId = userIdOf(actor)
  // the rows that are marked get the same moment, by which the decision can be taken back
  const decided = await sql(
    `update sync_loss set decision = $4, decided_by = $5, decided_at = now()
     where organization_id = $1 and connection_id = $2 and run_id = $3 and decision is null returning run_id`,
    [organizationId, connectionId, runId, decision, userId],
  )
  if (decided.length === 0) {
    // a later reading has replaced the one that was seen
    const [newer] = await sql(
      'select run_id from sync_loss where organization_id = $1 and connection_id = $2 and decision is null limit 1',
      [organizationId, connectionId],
    )
    return newer === undefined || decision === 'rejected' ? 'over' : 'changed'
  }
  const { lineCount, invoiceCount, totals } = choice.decision === 'accepted' ? await markSet(sql, loss, choice) : KEPT
  await recordEvent(sql, organizationId, connectionId, {
    kind: decision === 'accepted' ? 'loss_marked' : 'loss_kept',
    actorId: userId,
    detail: `${lineCount} ${invoiceCount}`,
  })
  await sql(
    `update sync_run set status = 'succeeded', lines_missing = $3, invoices_missing = $4
     where organization_id = $1 and id = $2 and status = 'held'`,
    [organizationId, runId, lineCount, invoiceCount],
  )
  await auditConnection(sql, organizationId, connectionId, {
    actor,
    action: decision === 'accepted' ? 'loss.accepted' : 'loss.refused',
    after: { run: runId, linesMarked: lineCount, invoicesMarked: invoiceCount, ...(totals && { totals }) },
  })
  return 'decided'
}

/**
 * Marks first and compares what was marked: between a look and a mark a record could change. The
 * loss keeps the money of what was marked, as the page has it beside its numbers.
 */
async function markSet(sql: Sql, loss: LossKey, { set, typed }: { set: string; typed: number | null }) {
  const readings = await readingsOf(sql, loss)
  for (const list of ['lines', 'invoices'] as const) {
    await markMissing(sql, list, readings[list])
    await closeUnmetRejections(sql, list, readings[list])
  }
  const marked = await readMarked(sql, loss)
  if (marked.hash !== set) throw new NotMarked('changed')
  const toType = countToType(marked)
  if (toType !== null && typed !== toType) throw new NotMarked('not-typed')
  await sql('update sync_loss set totals = $3 where organization_id = $1 and run_id = $2', [
    loss.organizationId,
    loss.runId,
    JSON.stringify(marked.totals),
  ])
  return marked
}
