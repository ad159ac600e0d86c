/** Deletes a connection's data in batches, each a short transaction that other work can pass. */
import { WORKER } from '#lib/audit/model.ts'
import { listKeptAnswers } from '#lib/db/kept-answers.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { ClaimedDisconnect } from '../claims.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { voidRuns } from '../runs/end-runs.ts'

const BATCH_ROWS = 5_000

/**
 * The tables with a connection's data, in order of deletion: referring rows go first. Tables of
 * kept answers follow (lib/db/kept-answers.ts).
 */
export const ERASED_TABLES = [
  'known_page',
  'line_payload',
  'line',
  'line_rollup',
  'trip_rollup',
  'invoice_rollup',
  'line_comparison',
  'line_touch',
  'line_version',
  'line_past',
  'line_review',
  'line_fall',
  'invoice_review',
  'line_seen',
  'dispute_letter_line',
  'dispute_letter',
  'invoice',
  'plain_invoice',
  'plain_invoice_sum',
  'doubtful_invoice',
  'invoice_words',
  'invoice_version',
  'document_wish',
  'rule_turn',
  'habit_decision',
  'thread',
  'pack',
  'reparse_wish',
  'rejected_line',
  'profile',
  'interface_drift',
  'sync_evidence',
  'sync_hint',
  'scim_answer',
  'scim_endpoint',
  'scim_check',
  'scim_credential',
] as const

/**
 * What has a connection's id and stays: the connection, its history, when it was read and how that
 * went, what people decided and signed, and the tally and the count of changes, which follow the
 * rows. Tokens are destroyed separately. @internal A test looks for tables in neither list.
 */
export const KEPT_TABLES = [
  'connection_event',
  'connection_tally',
  'connection_warning',
  'connect_intent',
  'decision_invoice',
  'decision_part',
  'disconnection',
  'drift',
  'line_comparison_state',
  'period_lock',
  'refresh_attempt',
  'rule_trial_part',
  'sign_off',
  'sign_off_end',
  'sync_loss',
  'sync_run',
] as const

/** Deletes a batch and extends the lease; false if nothing was left or the fence has moved. */
export function eraseBatch(wish: ClaimedDisconnect, leaseSeconds: number): Promise<boolean> {
  const { organizationId, connectionId } = wish
  return withTenantSql(organizationId, async (sql) => {
    const [held] = await sql(
      `update disconnection set lease_until = statement_timestamp() + make_interval(secs => $4)
       where organization_id = $1 and id = $2 and fence = $3 and finished_at is null returning 1 as held`,
      [organizationId, wish.id, wish.fence, leaseSeconds],
    )
    if (held === undefined) return false
    const kept = await listKeptAnswers(sql)
    for (const table of [...ERASED_TABLES, ...kept.map((answer) => answer.table)]) {
      const [{ gone } = { gone: 0 }] = await sql<{ gone: number }>(
        `with gone as (
           delete from ${table} where organization_id = $1 and ctid = any (array(
             select ctid from ${table} where organization_id = $1 and connection_id = $2 limit ${BATCH_ROWS}))
           returning 1)
         select count(*)::int as gone from gone`,
        [organizationId, connectionId],
      )
      if (gone === 0) continue
      await sql('update disconnection set erased_rows = erased_rows + $3 where organization_id = $1 and id = $2', [
        organizationId,
        wish.id,
        gone,
      ])
      return true
    }
    return false
  })
}

/**
 * Deletes what refers to pages, and notes on the connection and each of its runs that the data is
 * gone. In the caller's transaction.
 */
export async function finishErasing(sql: Sql, { organizationId, connectionId, id }: ClaimedDisconnect): Promise<void> {
  // pages first: arrivals that housekeeping makes of them meanwhile go with the second table
  for (const table of ['sync_page', 'sync_arrival'])
    await sql(
      `delete from ${table} where organization_id = $1
         and run_id in (select id from sync_run where organization_id = $1 and connection_id = $2)`,
      [organizationId, connectionId],
    )
  await eraseNames(sql, organizationId)
  await sql('select forget_talk_without_lines($1)', [organizationId])
  await voidRuns(sql, organizationId, connectionId)
  await sql('update connection set data_deleted_at = statement_timestamp() where organization_id = $1 and id = $2', [
    organizationId,
    connectionId,
  ])
  const [row] = await sql<{ erasedRows: string }>(
    `select erased_rows::text as "erasedRows" from disconnection where organization_id = $1 and id = $2`,
    [organizationId, id],
  )
  const erasedRows = row?.erasedRows ?? '0'
  await recordEvent(sql, organizationId, connectionId, { kind: 'data_deleted', detail: erasedRows })
  await auditConnection(sql, organizationId, connectionId, {
    actor: WORKER,
    action: 'connection.data-deleted',
    after: { rows: Number(erasedRows) },
  })
}

/**
 * Deletes how names look that no line of the organization has any more. Locked first: a sync that
 * brings one of them ends before the lines are looked at, or notes the name anew.
 */
async function eraseNames(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql('select from name_look where organization_id = $1 order by name for update', [organizationId])
  await sql(
    `delete from name_look where organization_id = $1 and name in (
       select name from name_look where organization_id = $1
       except select each from line l,
         unnest(array[l.cost_center, l.vendor_name, l.booker_name] || l.traveler_names || l.labels) each
       where l.organization_id = $1)`,
    [organizationId],
  )
}
