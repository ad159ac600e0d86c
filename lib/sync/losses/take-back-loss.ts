import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { recordEvent } from '#lib/connections/events/history.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { MOMENT_OF_LOSS, readMarked } from '#lib/ledger/apply/loss-set.ts'
import { unmark } from '#lib/ledger/apply/mark-missing.ts'
import { type AcceptedLoss, TAKE_BACK_DAYS } from '../model.ts'
import type { LossKey } from './preview-loss.ts'

const IS_OPEN = `decision = 'accepted' and taken_back_at is null and decided_at > now() - interval '${TAKE_BACK_DAYS} days'`

/**
 * The accepted losses that can still be taken back, newest first, each with what would count again:
 * what the platform listed again meanwhile counts already.
 */
export function listAcceptedLosses(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<AcceptedLoss[]> {
  return withTenantSql(organizationId, async (sql) => {
    const losses = await sql<{ runId: RunId; decidedAt: Date; until: Date; decidedBy: string | null }>(
      `select l.run_id as "runId", l.decided_at as "decidedAt", l.decided_at + interval '${TAKE_BACK_DAYS} days' as until, u.name as "decidedBy"
       from sync_loss l left join app_user u on u.organization_id = l.organization_id and u.id = l.decided_by
       where l.organization_id = $1 and l.connection_id = $2 and ${IS_OPEN} order by l.decided_at desc`,
      [organizationId, connectionId],
    )
    const open: AcceptedLoss[] = []
    for (const { runId, decidedAt, until, decidedBy } of losses) {
      const { lineCount, invoiceCount, totals } = await readMarked(sql, { organizationId, connectionId, runId })
      const moments = { decidedAt: decidedAt.toISOString(), until: until.toISOString() }
      if (lineCount + invoiceCount > 0) open.push({ runId, decidedBy, ...moments, lineCount, invoiceCount, totals })
    }
    return open
  })
}

/**
 * Takes an accepted loss back within 30 days: what it marked and is still missing counts again, as
 * it was, until a complete reading misses it again and asks. False when there is nothing to take
 * back.
 */
export function takeBackLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
  actor: Actor,
): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const loss = { organizationId, connectionId, runId }
    const userId = userIdOf(actor)
    const taken = await sql(
      `update sync_loss set taken_back_by = $4, taken_back_at = now()
       where organization_id = $1 and connection_id = $2 and run_id = $3 and ${IS_OPEN} returning run_id`,
      [organizationId, connectionId, runId, userId],
    )
    if (taken.length === 0) return false
    const { lineCount, invoiceCount, totals } = await countAgain(sql, loss)
    await recordEvent(sql, organizationId, connectionId, {
      kind: 'loss_taken_back',
      actorId: userId,
      detail: `${lineCount} ${invoiceCount}`,
    })
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'loss.taken-back',
      after: { run: runId, linesBack: lineCount, invoicesBack: invoiceCount, totals },
    })
    return true
  })
}

async function countAgain(sql: Sql, loss: LossKey) {
  const { organizationId, runId } = loss
  // looked up while it is still marked
  const marked = await readMarked(sql, loss)
  await unmark(sql, loss, MOMENT_OF_LOSS, [runId])
  await sql('update sync_loss set lines_back = $3, invoices_back = $4 where organization_id = $1 and run_id = $2', [
    organizationId,
    runId,
    marked.lineCount,
    marked.invoiceCount,
  ])
  return marked
}
