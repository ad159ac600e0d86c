import { type Sql, withTenantSql } from '../db/tenant.ts'
import { applyInvoices, applyProfiles } from '../ledger/apply-invoices.ts'
import { applyLines } from '../ledger/apply-lines.ts'
import { keepRejected } from '../ledger/keep-rejected.ts'
import type { ApplyCounts } from '../ledger/records-to-apply.ts'
import type { ListPage } from '../partner/data-client.ts'
import type { LineRecord } from '../partner/records.ts'
import { listLineNotes } from '../reconcile/line-notes.ts'
import { proveLine } from '../reconcile/line-proof.ts'
import { recordInterfaceDrift } from './interface-drift-store.ts'
import type { ClaimedRun, Failpoint, PageCounts, SyncList, SyncWindow } from './model.ts'
import { nameConnection } from './name-connection.ts'
import { type ParsedPage, parsePage, type RecordOf } from './parse-page.ts'
import { holdRun, recordPage } from './run-store.ts'
import type { Walk } from './walk.ts'
import { readsEverything } from './window-range.ts'
import { expectSumOfWindows, expectTotal, isWhole, moveWindow } from './window-store.ts'

export type PageToCommit = { window: SyncWindow; pass: number; offset: number; page: ListPage }

type Owner = { organizationId: string; connectionId: string }
type Apply<L extends SyncList> = (sql: Sql, owner: Owner, records: RecordOf[L][]) => Promise<ApplyCounts>

const APPLY: { [L in SyncList]: Apply<L> } = {
  profiles: async (sql, owner, profiles) => {
    await nameConnection(sql, owner.organizationId, owner.connectionId, profiles)
    return applyProfiles(sql, { ...owner, profiles })
  },
  invoices: (sql, owner, invoices) => applyInvoices(sql, { ...owner, invoices }),
  lines: (sql, owner, lines) => applyLines(sql, { ...owner, lines: lines.map(toProvedLine) }),
}

/**
 * Parses a page, proves its lines, and commits rows, rejects, page ledger, cursor and counters in one transaction, or
 * nothing at all (reliability, "Sync"). Returns the keys of the page's records.
 * @throws OperationalError sync-fenced when the run belongs to another worker by now.
 */
export async function commitPage(
  run: ClaimedRun,
  { window, pass, offset, page }: PageToCommit,
  walk: Walk,
  { leaseMs, failpoint }: { leaseMs: number; failpoint: Failpoint },
): Promise<string[]> {
  const { list, number: windowNumber } = window
  const parsed = parsePage(list, page.records, walk)
  const settleDrift = await withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    const counts = await applyPage(sql, run, list, parsed)
    const { total } = page
    await recordPage(sql, run, { list, windowNumber, pass, offset, total, keys: parsed.keys, counts }, leaseMs)
    await moveWindow(sql, run, windowNumber, { pass, offset, total, counts })
    await showExpected(sql, run, window, total)
    const settle = await recordInterfaceDrift(sql, run, list, parsed.drift)
    failpoint('before-commit')
    return settle
  })
  settleDrift()
  return parsed.keys
}

/** How many records of the list are to come: a list that is read in parts has said so before, an incremental run adds up. */
async function showExpected(sql: Sql, run: ClaimedRun, window: SyncWindow, total: number | null): Promise<void> {
  if (isWhole(window)) {
    if (total !== null) await expectTotal(sql, run, window.list, total)
  } else if (!readsEverything(run.kind)) await expectSumOfWindows(sql, run, window.list)
}

async function applyPage<L extends SyncList>(
  sql: Sql,
  run: ClaimedRun,
  list: L,
  parsed: ParsedPage<RecordOf[L]>,
): Promise<PageCounts> {
  const owner = { organizationId: run.organizationId, connectionId: run.connectionId }
  const fresh = await applyParsed(sql, owner, list, parsed.fresh)
  // what this run has met before is applied all the same: it may have changed since, and 64 bits may be the same by chance
  const again = await applyParsed(sql, owner, list, parsed.repeated)
  const rejections = [...parsed.rejectedFresh, ...parsed.rejectedRepeated]
  await keepRejected(sql, { ...owner, runId: run.id, list, rejections })
  return {
    received: parsed.keys.length,
    inserted: fresh.inserted + again.inserted,
    updated: fresh.updated + again.updated,
    unchanged: fresh.unchanged,
    duplicate: again.unchanged + parsed.doubled + parsed.rejectedRepeated.length,
    rejected: parsed.rejectedFresh.length,
  }
}

/** Proves parsed records where there is something to prove, and brings them into the ledger in the caller's transaction. */
export async function applyParsed<L extends SyncList>(
  sql: Sql,
  owner: Owner,
  list: L,
  records: RecordOf[L][],
): Promise<ApplyCounts> {
  return records.length === 0 ? { inserted: 0, updated: 0, unchanged: 0 } : APPLY[list](sql, owner, records)
}

function toProvedLine(line: LineRecord) {
  return { ...line, proof: proveLine(line), notes: listLineNotes(line) }
}
