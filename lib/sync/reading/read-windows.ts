import { withTenantSql } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'
import type { ClaimedRun, SyncList } from '../model.ts'
import { change, holdRun } from '../runs/run-store.ts'
import { MAX_CLOSING_ROUNDS } from '../runs/timing.ts'
import { addFollowUps, canSplit, planParts, planRun } from '../windows/plan-windows.ts'
import { readsEverything } from '../windows/window-range.ts'
import {
  addWindows,
  completeWindow,
  expectTotal,
  isWhole,
  listWindows,
  type ReadWindow,
  rereadWindow,
  splitWindow,
  takeWindow,
  wholeList,
} from '../windows/window-store.ts'
import type { RunReading } from './run-reading.ts'
import { walkWindow } from './walk-window.ts'

/**
 * Reads all windows of a run from where it stands, newest first. Splits long ones until each is
 * worth a checkpoint, follows up what they left open, and compares lists read in parts with their
 * own count. May be interrupted anywhere and called again.
 */
export async function readWindows(reading: RunReading): Promise<void> {
  const { run, pageSize } = reading
  await planRun(run)
  do {
    await readWaiting(reading)
  } while ((await addFollowUps(run, pageSize)) || (await reopenMovedWindows(reading)))
}

async function readWaiting(reading: RunReading): Promise<void> {
  const { run, timing } = reading
  const { windowRecords, completeWindowRecords = windowRecords, lookBackDays } = timing
  for (;;) {
    const window = await takeWindow(run)
    if (window === null) return
    const now = reading.now()
    // a part of a complete run may be longer than a whole list before it is split
    const isPart = readsEverything(run.kind) && !isWhole(window)
    const maxRecords = isPart ? completeWindowRecords : windowRecords
    const walked = await walkWindow(reading, window, canSplit(run, window, now) ? maxRecords : null)
    if (walked.outcome === 'too-long') {
      const parts = await planParts(run, window, { now, lookBackDays })
      log.info({ run: run.id, list: window.list, total: walked.total, parts: parts.length }, 'window split')
      await splitWindow(run, window, parts, walked.total)
    } else await completeWindow(run, window.number, walked.total)
  }
}

/**
 * The parts of a list must add up to the whole. If not, something moved between parts during the
 * reading: parts whose count changed are read again. If none changed, some records have no day of
 * issue, so the list is read in one piece. True when there is something to read again.
 */
async function reopenMovedWindows(reading: RunReading): Promise<boolean> {
  const { run } = reading
  if (!readsEverything(run.kind)) return false
  const windows = await withTenantSql(run.organizationId, (sql) => listWindows(sql, run))
  let isReopened = false
  for (const list of ['invoices', 'lines'] as const) {
    const ofList = windows.filter((window) => window.list === list)
    const wasSplit = ofList.some((window) => isWhole(window) && window.state === 'split')
    // read in one piece after all: nothing to add up
    if (!wasSplit || ofList.some((window) => isWhole(window) && window.state !== 'split')) continue
    const parts = ofList.filter((window) => window.state === 'complete' && window.serialNumber === null)
    if (await reopenList(reading, list, parts)) isReopened = true
  }
  return isReopened
}

async function reopenList({ run, source }: RunReading, list: SyncList, parts: readonly ReadWindow[]) {
  const total = await source.readTotal(wholeList(list))
  const sum = parts.reduce((counted, part) => counted + (part.expected ?? 0), 0)
  if (total === null || total === sum) return false
  const round = await countRound(run)
  if (round > MAX_CLOSING_ROUNDS) {
    log.warn({ run: run.id, list, total, sum }, 'list moves faster than it is read; the next run goes on')
    return false
  }
  const moved: ReadWindow[] = []
  for (const part of parts) {
    if ((await source.readTotal(part)) !== part.expected) moved.push(part)
  }
  log.info({ run: run.id, list, total, sum, moved: moved.length }, 'parts do not add up to the list')
  for (const part of moved) await rereadWindow(run, part.number, part.pass + 1)
  await withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    await expectTotal(sql, run, list, total)
    if (moved.length === 0) await addWindows(sql, run, [wholeList(list)], { maySplit: false })
  })
  return true
}

function countRound(run: ClaimedRun): Promise<number> {
  return withTenantSql(run.organizationId, async (sql) => {
    await change(sql, run, 'closing_rounds = closing_rounds + 1', [])
    const [row] = await sql<{ rounds: number }>(
      'select closing_rounds as rounds from sync_run where organization_id = $1 and id = $2',
      [run.organizationId, run.id],
    )
    return row?.rounds ?? 0
  })
}
