import { type Sql, withTenantSql } from '../db/tenant.ts'
import { applyInvoiceParts, applyProfileParts } from '../ledger/apply-invoices.ts'
import { applyLineParts } from '../ledger/apply-lines.ts'
import type { RecordOfPart, WrittenOfPart } from '../ledger/apply-records.ts'
import { keepRejected } from '../ledger/keep-rejected.ts'
import type { ProvedLine } from '../ledger/records-to-apply.ts'
import type { LineRecord } from '../partner/records.ts'
import { listLineNotes } from '../reconcile/line-notes.ts'
import { proveLine } from '../reconcile/line-proof.ts'
import { recordInterfaceDrift } from './interface-drift-store.ts'
import type { ClaimedRun, Failpoint, PageCounts, SyncList, SyncWindow } from './model.ts'
import { nameConnection } from './name-connection.ts'
import { type GroupedPage, ofPart, type PageGroup } from './page-group.ts'
import type { RecordOf } from './parse-record.ts'
import { holdRun, recordPages } from './run-store.ts'
import { readsEverything } from './window-range.ts'
import { expectSumOfWindows, expectTotal, isWhole, moveWindow } from './window-store.ts'

type Owner = { organizationId: string; connectionId: string }
type Apply<L extends SyncList> = (
  sql: Sql,
  owner: Owner,
  records: readonly RecordOfPart<RecordOf[L]>[],
) => Promise<WrittenOfPart[]>

const APPLY: { [L in SyncList]: Apply<L> } = {
  profiles: async (sql, owner, records) => {
    const profiles = records.map(({ item }) => item)
    await nameConnection(sql, owner.organizationId, owner.connectionId, profiles)
    return applyProfileParts(sql, owner, records)
  },
  invoices: applyInvoiceParts,
  lines: (sql, owner, records) =>
    applyLineParts(
      sql,
      owner,
      records.map(({ item, part }) => ({ item: toProvedLine(item), part })),
    ),
}

/**
 * Proves the lines of a group of pages, and commits rows, rejects, page ledger, cursor and counters in one transaction, or
 * nothing at all (reliability, "Sync").
 * @throws OperationalError sync-fenced when the run belongs to another worker by now.
 */
export async function commitGroup(
  run: ClaimedRun,
  window: SyncWindow,
  pass: number,
  group: PageGroup,
  { leaseMs, failpoint }: { leaseMs: number; failpoint: Failpoint },
): Promise<void> {
  const settleDrift = await withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    await applyGroup(sql, run, group)
    const { list, pages } = group
    const { offset, total, counts } = pages.at(-1) as GroupedPage
    const sum = sumOf(pages)
    const next = offset + counts.received
    await recordPages(sql, run, { list, windowNumber: window.number, pass, pages, sum, next }, leaseMs)
    await moveWindow(sql, run, window.number, { pass, offset: next, total, counts: sum })
    await showExpected(sql, run, window, total)
    const settle = await recordInterfaceDrift(sql, run, list, group.drift)
    failpoint('before-commit')
    return settle
  })
  settleDrift()
}

/** How many records of the list are to come: a list that is read in parts has said so before, an incremental run adds up. */
async function showExpected(sql: Sql, run: ClaimedRun, window: SyncWindow, total: number | null): Promise<void> {
  if (isWhole(window)) {
    if (total !== null) await expectTotal(sql, run, window.list, total)
  } else if (!readsEverything(run.kind)) await expectSumOfWindows(sql, run, window.list)
}

/** Applies a group and completes the counts of its pages. */
async function applyGroup(sql: Sql, run: ClaimedRun, { list, pages, records, rejections }: PageGroup): Promise<void> {
  const owner = { organizationId: run.organizationId, connectionId: run.connectionId }
  const written = await applyParsed(sql, owner, list, records)
  await keepRejected(sql, { ...owner, runId: run.id, list, rejections })
  const countsOf = (part: number) => (pages[ofPart(part).page] as GroupedPage).counts
  // what this run has met before is no news when it is stored as it is
  for (const { part } of records) countsOf(part)[ofPart(part).isRepeat ? 'duplicate' : 'unchanged'] += 1
  for (const { part, inserted, updated } of written) {
    const counts = countsOf(part)
    counts.inserted += inserted
    counts.updated += updated
    counts[ofPart(part).isRepeat ? 'duplicate' : 'unchanged'] -= inserted + updated
  }
}

/** Proves parsed records where there is something to prove, and brings them into the ledger in the caller's transaction. */
export async function applyParsed<L extends SyncList>(
  sql: Sql,
  owner: Owner,
  list: L,
  records: readonly RecordOfPart<RecordOf[L]>[],
): Promise<WrittenOfPart[]> {
  return records.length === 0 ? [] : APPLY[list](sql, owner, records)
}

/** Adds the proof to the record itself: a copy of forty fields costs half as much as the proof. */
function toProvedLine(line: LineRecord & Partial<ProvedLine>): ProvedLine {
  line.proof = proveLine(line)
  line.notes = listLineNotes(line)
  return line as LineRecord & ProvedLine
}

/** The counts of pages, added up. */
function sumOf(pages: readonly { counts: PageCounts }[]): PageCounts {
  const sum = { received: 0, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const { counts } of pages) for (const key of Object.keys(sum) as (keyof PageCounts)[]) sum[key] += counts[key]
  return sum
}
