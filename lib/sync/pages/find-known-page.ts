import { withTenantSql } from '#lib/db/tenant.ts'
import { type KnownPage, listKnownPages } from '#lib/ledger/kept/known-pages/known-pages.ts'
import type { ClaimedRun, SyncWindow } from '../model.ts'
import { placeOf } from './page-place.ts'

/** What is known of the page at an offset of a window; null if nothing. */
export type FindKnownPage = (offset: number) => Promise<KnownPage | null>

/**
 * How many records' worth of pages to look up at once. Reading waits for the first batch only, so
 * it is small; the next is fetched while one is read.
 */
const RECORDS_AT_ONCE = { first: 1000, next: 10_000 }

/**
 * Looks up known pages for one reading of a window from `fromOffset` on. Holds at most about 30,000
 * records' worth of pages, however long the window is. Finds nothing for a run taken up again
 * without progress: something went wrong, so its pages are opened.
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
    // the next request for one of its pages rethrows it
    listed.catch(() => undefined)
    parts.set(part, listed)
    return listed
  }
  list(0)

  return async (offset) => {
    const part = partOf(offset)
    const pages = await list(part)
    // no page here: nobody has read this far, or everything has moved
    if (pages.size > 0) list(part + 1)
    parts.delete(part - 2)
    return pages.get(offset) ?? null
  }
}
