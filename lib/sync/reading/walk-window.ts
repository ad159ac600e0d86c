import { OperationalError } from '#lib/errors.ts'
import type { SyncWindow } from '../model.ts'
import { openKnownPages } from '../pages/find-known-page.ts'
import { isSamePage, type Page } from '../pages/page.ts'
import { listWalkedPages } from '../runs/run-store.ts'
import { createWalk } from '../windows/walk.ts'
import { rereadWindow } from '../windows/window-store.ts'
import { createCommitter } from './page-committer.ts'
import { createPageQueue } from './page-queue.ts'
import type { PassReading, RunReading } from './run-reading.ts'

/** How often to read a moving window from its start before the run gives up. */
const MAX_PASSES = 5
/** Follow a list that grows while it is read, but not one that never ends. */
const MAX_GROWTH = { factor: 2, records: 10_000 }
const MAX_RECORDS_WITHOUT_TOTAL = 10_000_000

/**
 * `too-long`: the window has `total` records, too many for one piece; none of them was committed.
 */
export type WalkedWindow = { outcome: 'complete'; total: number | null } | { outcome: 'too-long'; total: number }

/**
 * Reads one window to its end, from where it stands, and again from its start while it moves or
 * ends early. Asks for pages ahead, and reads the next group while one is committed. Leaves a
 * window of more than `maxRecords` (null = any number) to be split.
 * @throws OperationalError sync-incomplete when the list never reaches its own count; what arrived
 * is kept.
 */
export async function walkWindow(
  reading: RunReading,
  window: SyncWindow,
  maxRecords: number | null,
): Promise<WalkedWindow> {
  const { run } = reading
  const { list } = window
  let { pass, cursorOffset: offset } = window
  const firstPass = pass
  const isUntouched = pass === 1 && offset === 0
  const walk = createWalk()
  // known pages load while the walked pages are read back
  let findKnownPage = openKnownPages(run, window, offset)
  for (const page of await listWalkedPages(run, window.number)) walk.addPage(page)
  for (;;) {
    const limit = isUntouched && pass === firstPass ? maxRecords : null
    const tooLong = await walkPass({ ...reading, window, list, pass, walk, findKnownPage }, offset, limit)
    if (tooLong !== null) return { outcome: 'too-long', total: tooLong }
    if (walk.judgePass(pass) === 'complete') return { outcome: 'complete', total: walk.describe().total }
    if (pass >= Math.max(MAX_PASSES, window.pass + 1)) {
      const { distinct, total } = walk.describe()
      throw incomplete(`${list}: ${distinct} different records of ${total} after ${pass} readings`)
    }
    pass += 1
    offset = 0
    await rereadWindow(run, window.number, pass)
    findKnownPage = openKnownPages(run, window, offset)
  }
}

/** Reads the window once. Resolves to null, or to the count of a window too long for one piece. */
async function walkPass(reading: PassReading, start: number, maxRecords: number | null): Promise<number | null> {
  const { list, pass, walk } = reading
  const queue = createPageQueue(reading)
  const committer = createCommitter(reading)
  let offset = start
  let limit: number | null = null
  let previous: Page | null = null
  for (;;) {
    // commit what arrived before a failure: it is not asked for again
    const page = await queue
      .take(offset)
      .catch((thrown: unknown) => committer.flush().then(() => Promise.reject(thrown)))
    if (maxRecords !== null && page.total !== null && page.total > maxRecords) return page.total
    // an empty page ends the list, whatever its count says; so does the same page twice (the
    // platform then ignores offsets)
    const isEmpty = page.count === 0
    if (isEmpty || isSamePage(page, previous)) {
      await committer.flush()
      if (isEmpty) walk.addPage({ pass, total: page.total, keys: [] })
      return null
    }
    const next = offset + page.count
    const isLast = page.total !== null && next >= page.total
    limit ??= page.total === null ? MAX_RECORDS_WITHOUT_TOTAL : page.total * MAX_GROWTH.factor + MAX_GROWTH.records
    if (next > limit) {
      await committer.flush()
      throw incomplete(`${list}: the list does not end after ${next} records`)
    }
    if (!isLast) queue.lookAhead(next, page)
    await committer.add(page)
    if (isLast) {
      await committer.flush()
      return null
    }
    offset = next
    previous = page
  }
}

function incomplete(message: string): OperationalError {
  return new OperationalError('sync-incomplete', message)
}
