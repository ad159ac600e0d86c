import { withTenantSql } from '../db/tenant.ts'
import { type KnownPage, listKnownPages } from '../ledger/known-pages.ts'
import type { ClaimedRun, SyncWindow } from './model.ts'
import { placeOf } from './page-place.ts'

/** What is known of the page at an offset of a window; null when nothing is. */
export type FindKnownPage = (offset: number) => Promise<KnownPage | null>

/** Pages are looked up for so many records at a time, and for the next so many while these are read. */
const RECORDS_AT_ONCE = 10_000

/** For one reading of a window. A few thousand records' worth of pages is held at a time, however long the window is. */
export function openKnownPages(run: ClaimedRun, window: SyncWindow): FindKnownPage {
  const place = placeOf(window)
  if (place === null) return async () => null
  const parts = new Map<number, Promise<ReadonlyMap<number, KnownPage>>>()

  function list(part: number): Promise<ReadonlyMap<number, KnownPage>> {
    const asked = parts.get(part)
    if (asked !== undefined) return asked
    const range = { from: part * RECORDS_AT_ONCE, before: (part + 1) * RECORDS_AT_ONCE }
    const listed = withTenantSql(run.organizationId, (sql) => listKnownPages(sql, run, place as string, range))
    // whoever asks for a page of it hears of a failure
    listed.catch(() => undefined)
    parts.set(part, listed)
    return listed
  }

  return async (offset) => {
    const part = Math.floor(offset / RECORDS_AT_ONCE)
    const pages = await list(part)
    // none here: nobody has read as far, or all of it has moved
    if (pages.size > 0) list(part + 1)
    parts.delete(part - 2)
    return pages.get(offset) ?? null
  }
}
