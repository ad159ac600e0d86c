import { withTenantSql } from '#lib/db/tenant.ts'
import { type KnownPage, listKnownPages } from '#lib/ledger/apply/known-pages.ts'
import type { ClaimedRun, SyncWindow } from '../model.ts'
import { placeOf } from './page-place.ts'

/** What is known of the page at an offset of a window; null when nothing is. */
export type FindKnownPage = (offset: number) => Promise<KnownPage | null>

/**
 * Pages are looked up for so many records at a time, the next ones while these are read. The first
 * are waited for: few.
 */
const RECORDS_AT_ONCE = { first: 1000, next: 10_000 }

/**
 * For one reading of a window from `fromOffset` on. A few thousand records' worth of pages is held
 * at a time, however long the window is. A run that was taken up again without having moved finds
 * nothing: whatever went wrong, its pages are opened.
 */
export function openKnownPages(run: ClaimedRun, window: SyncWindow, fromOffset: number): FindKnownPage {
  const place = placeOf(window)
  if (place === null || run.attempts > 1) return async () => null
  const parts = new Map<number, Promise<ReadonlyMap<number, KnownPage>>>()
  const beginOf = (part: number) =>
    part === 0 ? fromOffset : fromOffset + RECORDS_AT_ONCE.first + (part - 1) * RECORDS_AT_ONCE.next
  const partOf = (offset: number) =>
    Math.max(0, 1 + Math.floor((offset - fromOffset - RECORDS_AT_ONCE.first) / RECORDS_AT_ONCE.next))

  function list(part: number): Promise<ReadonlyMap<number, KnownPage>> {
    const asked = parts.get(part)
    if (asked !== undefined) return asked
    const range = { from: beginOf(part), before: beginOf(part + 1) }
    const listed = withTenantSql(run.organizationId, (sql) => listKnownPages(sql, run, place as string, range))
    // whoever asks for a page of it hears of a failure
    listed.catch(() => undefined)
    parts.set(part, listed)
    return listed
  }
  list(0)

  return async (offset) => {
    const part = partOf(offset)
    const pages = await list(part)
    // none here: nobody has read as far, or all of it has moved
    if (pages.size > 0) list(part + 1)
    parts.delete(part - 2)
    return pages.get(offset) ?? null
  }
}
