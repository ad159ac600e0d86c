import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import {
  type CompleteReading,
  type CompleteScope,
  closeUnmetRejections,
  countMissing,
  type MissingCount,
  markMissing,
} from '#lib/ledger/apply/mark-missing.ts'
import { flushInterfaceDrift } from '../drift/interface-drift-store.ts'
import type { ClaimedRun, SyncKind } from '../model.ts'
import { planNextReadings, planNextSync } from '../runs/next-sync.ts'
import { change } from '../runs/run-store.ts'
import { MAX_CLOSING_ROUNDS } from '../runs/timing.ts'
import { toScope } from '../windows/complete-scope.ts'
import { noteFollowed } from '../windows/due-lines.ts'
import { listWindows } from '../windows/window-store.ts'

/**
 * A loss above this share or this number of rows is not believed without a human (reliability F25).
 */
const BELIEVABLE = { share: 0.05, rows: 100 }
/** A few invoices may be a large share of a small account; their lines decide then. */
const FEW_INVOICES = 10

/**
 * Ends a run whose windows are all read, in one transaction. Marks what its complete windows did
 * not find as missing (softly), or holds a loss too large to believe for an admin's decision.
 * Closes rejected records that were not met again. Plans the next runs. `more`: the run goes on,
 * because the platform hinted at another invoice or more was asked of the run.
 */
export function finishRun(run: ClaimedRun, now: Date): Promise<'succeeded' | 'held' | 'more'> {
  return withTenantSql(run.organizationId, async (sql) => {
    // the first statement locks the run: from here nobody can pause it or take it over
    await change(sql, run, 'error_code = null, error_text = null', [])
    if (!(await settleHints(sql, run))) return 'more'
    const { startedAt, isRestless, kind } = await readRun(sql, run)
    if (kind !== run.kind) {
      run.kind = kind
      return 'more'
    }
    const windows = isRestless ? [] : await listWindows(sql, run)
    const reading = (scope: CompleteScope): CompleteReading => {
      const { organizationId, connectionId, id: runId } = run
      return { organizationId, connectionId, runId, startedAt, scope }
    }
    const lines = reading(toScope('lines', windows))
    const invoices = reading(toScope('invoices', windows))
    const lost = {
      lines: await countMissing(sql, 'lines', lines),
      invoices: await countMissing(sql, 'invoices', invoices),
    }
    const isHeld = isTooMuch(lost.lines) || (isTooMuch(lost.invoices) && lost.invoices.missing > FEW_INVOICES)
    const isComplete = lines.scope.isAll && invoices.scope.isAll
    if (isHeld) await holdLoss(sql, run, lost)
    else {
      const linesMissing = lost.lines.missing > 0 ? await markMissing(sql, 'lines', lines) : 0
      const invoicesMissing = lost.invoices.missing > 0 ? await markMissing(sql, 'invoices', invoices) : 0
      await change(sql, run, 'lines_missing = $4, invoices_missing = $5', [linesMissing, invoicesMissing])
      await closeUnmetRejections(sql, 'lines', lines)
      await closeUnmetRejections(sql, 'invoices', invoices)
      await closeUnmetRejections(sql, 'profiles', reading(toScope('profiles', windows)))
    }
    await flushInterfaceDrift(sql, run)
    // a complete reading replaces losses that earlier runs hold for a decision
    if (isComplete) await supersedeLosses(sql, run)
    await change(sql, run, `status = $4, finished_at = now(), lease_until = null`, [isHeld ? 'held' : 'succeeded'])
    await noteFollowed(sql, run)
    await planNext(sql, run, isComplete, now)
    return isHeld ? 'held' : 'succeeded'
  })
}

type RunAtItsEnd = { startedAt: Date; isRestless: boolean; kind: SyncKind }

/**
 * `isRestless`: the parts never added up to the whole list, so what is missing from it is unknown.
 */
async function readRun(sql: Sql, run: ClaimedRun): Promise<RunAtItsEnd> {
  const [row] = await sql<RunAtItsEnd>(
    `select kind, started_at as "startedAt", closing_rounds > ${MAX_CLOSING_ROUNDS} as "isRestless" from sync_run
     where organization_id = $1 and id = $2`,
    [run.organizationId, run.id],
  )
  return row as RunAtItsEnd
}

function isTooMuch({ held, missing }: MissingCount): boolean {
  return missing > BELIEVABLE.rows || missing > held * BELIEVABLE.share
}

async function holdLoss(sql: Sql, run: ClaimedRun, lost: { lines: MissingCount; invoices: MissingCount }) {
  await sql(
    `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      run.organizationId,
      run.id,
      run.connectionId,
      lost.lines.held,
      lost.lines.missing,
      lost.invoices.held,
      lost.invoices.missing,
      JSON.stringify(lost.lines.totals),
    ],
  )
}

async function supersedeLosses(sql: Sql, run: ClaimedRun): Promise<void> {
  await sql(
    `with outdated as (
       update sync_loss set decision = 'superseded', decided_at = now()
       where organization_id = $1 and connection_id = $2 and run_id <> $3 and decision is null returning run_id)
     update sync_run set status = 'succeeded' where organization_id = $1 and status = 'held' and id in (select run_id from outdated)`,
    [run.organizationId, run.connectionId, run.id],
  )
}

/** Marks the hints this run has followed; false if one is still open. */
async function settleHints(sql: Sql, run: ClaimedRun): Promise<boolean> {
  const open = await sql<{ isRead: boolean }>(
    `update sync_hint h set handled_at = ${momentIf('r.is_read')}
     from (select h.serial_number,
             exists (select from sync_window w where w.organization_id = $1 and w.run_id = $3 and w.state = 'complete'
                       and w.serial_number = h.serial_number and w.created_at > h.received_at) as is_read
           from sync_hint h where h.organization_id = $1 and h.connection_id = $2 and h.handled_at is null for update) r
     where h.organization_id = $1 and h.connection_id = $2 and h.serial_number = r.serial_number
     returning r.is_read as "isRead"`,
    [run.organizationId, run.connectionId, run.id],
  )
  return open.every(({ isRead }) => isRead)
}

async function planNext(sql: Sql, run: ClaimedRun, isComplete: boolean, now: Date): Promise<void> {
  // following a hint says nothing about the rest
  if (run.kind === 'invoices') return
  await planNextSync(sql, run, now)
  if (isComplete) await planNextReadings(sql, run, now, 'everything')
  else if (run.kind === 'incremental') await planNextReadings(sql, run, now, 'look-back')
}
