import { withTenantSql } from '../db/tenant.ts'
import { hashText } from '../hash-text.ts'
import { findEmptyMoment, findStoredLines, type LineText, type StoredLines } from '../ledger/find-stored-lines.ts'
import type { LedgerMoment } from '../ledger/known-pages.ts'
import type { ClaimedRun, SyncList } from './model.ts'

/** What the ledger says to the texts of lines, in their order. */
export type KnownTexts = StoredLines & { texts: LineText[] }

/** Looks lines up before they are parsed. Null for another list, and when there is nothing to look up. */
export type FindKnown = (list: SyncList, records: readonly string[]) => Promise<KnownTexts | null>

/** For one hold of a run: a connection that has no line when it begins is not asked for any. */
export function createFindKnown(run: Pick<ClaimedRun, 'organizationId' | 'connectionId'>): FindKnown {
  let empty: Promise<LedgerMoment | null> | null = null
  return async (list, records) => {
    if (list !== 'lines' || records.length === 0) return null
    empty ??= withTenantSql(run.organizationId, (sql) => findEmptyMoment(sql, run))
    const asOf = await empty
    if (asOf !== null)
      return { texts: records.map((raw) => ({ id: '', textHash: hashText(raw) })), marks: '', others: new Map(), asOf }
    const texts = records.map((raw) => ({ id: guessId(raw), textHash: hashText(raw) }))
    return { texts, ...(await withTenantSql(run.organizationId, (sql) => findStoredLines(sql, run, texts))) }
  }
}

const ID = /"id"\s*:\s*(?:"([^"\\]{1,255})"|(-?\d{1,255})\b)/

/** Where to look for a line: the first member named id. A wrong guess costs time, nothing else. */
function guessId(raw: string): string {
  const [, text, digits] = ID.exec(raw) ?? []
  return text ?? digits ?? ''
}
