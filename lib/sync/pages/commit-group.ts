import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { BeforeWriting } from '#lib/ledger/apply/apply-records.ts'
import { keepRejected } from '#lib/ledger/apply/keep-rejected.ts'
import { recordInterfaceDrift } from '../drift/interface-drift-store.ts'
import type { ClaimedRun, Failpoint, PageCounts, SyncWindow } from '../model.ts'
import { holdRun } from '../runs/run-store.ts'
import { readsEverything } from '../windows/window-range.ts'
import { expectSumOfWindows, expectTotal, isWhole, moveWindow } from '../windows/window-store.ts'
import { applyPacked } from './apply-packed.ts'
import { ofPart, type PageGroup } from './group-pages.ts'
import { placeOf } from './page-place.ts'
import type { GroupedPage } from './parse-page.ts'
import { writePageLedger } from './write-page-ledger.ts'

/**
 * Commits a group of pages in one transaction: rows, rejects, page ledger, cursor and counters, or
 * nothing at all (reliability, "Sync"). The group goes to the database while the one `before` it is
 * still being committed; it is written only after that one is.
 * @returns the counts of its pages, added up.
 * @throws what `before` was rejected with; OperationalError sync-fenced when another worker has the
 * run; sync-outdated when a page taken as known no longer is.
 */
export async function commitGroup(
  run: ClaimedRun,
  window: SyncWindow,
  pass: number,
  group: PageGroup,
  { before, leaseMs, failpoint }: { before: Promise<void>; leaseMs: number; failpoint: Failpoint },
): Promise<PageCounts> {
  const { settleDrift, sum } = await withTenantSql(run.organizationId, async (sql) => {
    await applyGroup(sql, run, group, async () => {
      await before
      await holdRun(sql, run)
    })
    const { list, pages } = group
    const { offset, total, counts } = pages.at(-1) as GroupedPage
    const sum = sumOf(pages)
    const next = offset + counts.received
    await writePageLedger(
      sql,
      run,
      { list, windowNumber: window.number, pass, place: placeOf(window), pages, sum, next },
      leaseMs,
    )
    await moveWindow(sql, run, window.number, { pass, offset: next, total, counts: sum })
    await showExpected(sql, run, window, total)
    const settleDrift = await recordInterfaceDrift(sql, run, list, group.drift)
    failpoint('before-commit')
    return { settleDrift, sum }
  })
  settleDrift()
  return sum
}

/**
 * Updates how many records of the list to expect. A complete run that reads in parts already knows;
 * an incremental run adds its windows up.
 */
async function showExpected(sql: Sql, run: ClaimedRun, window: SyncWindow, total: number | null): Promise<void> {
  if (isWhole(window)) {
    if (total !== null) await expectTotal(sql, run, window.list, total)
  } else if (!readsEverything(run.kind)) await expectSumOfWindows(sql, run, window.list)
}

/** Applies a group and completes the counts of its pages. */
async function applyGroup(sql: Sql, run: ClaimedRun, group: PageGroup, beforeWriting: BeforeWriting): Promise<void> {
  const { list, pages, parts, rejections } = group
  const owner = { organizationId: run.organizationId, connectionId: run.connectionId }
  const written = await applyPacked(sql, owner, group, beforeWriting)
  await keepRejected(sql, { ...owner, runId: run.id, list, rejections })
  const countsOf = (part: number) => (pages[ofPart(part).page] as GroupedPage).counts
  // a record the run has met before counts as a duplicate if storing it changed nothing
  for (const part of parts) countsOf(part)[ofPart(part).isRepeat ? 'duplicate' : 'unchanged'] += 1
  for (const { part, inserted, updated } of written) {
    const counts = countsOf(part)
    counts.inserted += inserted
    counts.updated += updated
    counts[ofPart(part).isRepeat ? 'duplicate' : 'unchanged'] -= inserted + updated
  }
}

function sumOf(pages: readonly { counts: PageCounts }[]): PageCounts {
  const sum = { received: 0, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const { counts } of pages) for (const key of Object.keys(sum) as (keyof PageCounts)[]) sum[key] += counts[key]
  return sum
}
