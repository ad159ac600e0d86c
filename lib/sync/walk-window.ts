import { OperationalError } from '../errors.ts'
import type { ListPage } from '../partner/data-client.ts'
import type { PageToCommit } from './commit-page.ts'
import type { ClaimedRun, Failpoint, SyncWindow, WindowScope } from './model.ts'
import { listWalkedPages } from './run-store.ts'
import { createWalk, type Walk } from './walk.ts'
import { rereadWindow } from './window-store.ts'

/** How often a window that moves is read from its start again before the run gives up. */
const MAX_PASSES = 5
/** A list that grows while it is read is followed; one that never ends is not. */
const MAX_GROWTH = { factor: 2, records: 10_000 }
const MAX_RECORDS_WITHOUT_TOTAL = 10_000_000

export type WindowWalker = {
  readPage: (scope: WindowScope, offset: number, limit?: number) => Promise<ListPage>
  /** Commits the page; returns the keys of its records. */
  commitPage: (page: PageToCommit, walk: Walk) => Promise<string[]>
  failpoint: Failpoint
  /** Aborted when the run is to stop; honored between two pages. */
  signal: AbortSignal
}

/** `too-long`: the window has `total` records, more than may be read in one piece; nothing of it was committed. */
export type WalkedWindow = { outcome: 'complete'; total: number | null } | { outcome: 'too-long'; total: number }

/**
 * Reads one window to its end, from where it stands, and again from its start while it moves or ends early. The next page
 * is asked for while the current one is applied. A window of more than `maxRecords` (null = any number) is left to be split.
 * @throws OperationalError sync-incomplete when the list does not come to its own count; what arrived is kept.
 */
export async function walkWindow(
  run: ClaimedRun,
  window: SyncWindow,
  walker: WindowWalker,
  maxRecords: number | null,
): Promise<WalkedWindow> {
  let { pass, cursorOffset: offset } = window
  const firstPass = pass
  const isUntouched = pass === 1 && offset === 0
  const walk = createWalk()
  for (const page of await listWalkedPages(run, window.number)) walk.addPage(page)
  for (;;) {
    const limit = isUntouched && pass === firstPass ? maxRecords : null
    const tooLong = await walkPass(window, pass, offset, walk, walker, limit)
    if (tooLong !== null) return { outcome: 'too-long', total: tooLong }
    if (walk.judgePass(pass) === 'complete') return { outcome: 'complete', total: walk.describe().total }
    if (pass >= Math.max(MAX_PASSES, window.pass + 1)) {
      const { distinct, total } = walk.describe()
      throw incomplete(`${window.list}: ${distinct} different records of ${total} after ${pass} readings`)
    }
    pass += 1
    offset = 0
    await rereadWindow(run, window.number, pass)
  }
}

/** One reading; resolves to null, or to the count of a window that is too long to be read in one piece. */
async function walkPass(
  window: SyncWindow,
  pass: number,
  start: number,
  walk: Walk,
  walker: WindowWalker,
  maxRecords: number | null,
): Promise<number | null> {
  const { list } = window
  let offset = start
  let limit: number | null = null
  let previous: ListPage | null = null
  let coming = ask(walker, window, offset)
  for (;;) {
    const page = await untilStopped(coming, walker.signal)
    walker.failpoint('after-response')
    if (maxRecords !== null && page.total !== null && page.total > maxRecords) return page.total
    // an empty page ends the list, whatever its count says; so does a page that comes twice (offsets are ignored then)
    if (page.records.length === 0) walk.addPage({ pass, total: page.total, keys: [] })
    if (page.records.length === 0 || isSamePage(page, previous)) return null
    const next = offset + page.records.length
    const isLast = page.total !== null && next >= page.total
    limit ??= page.total === null ? MAX_RECORDS_WITHOUT_TOTAL : page.total * MAX_GROWTH.factor + MAX_GROWTH.records
    if (next > limit) throw incomplete(`${list}: the list does not end after ${next} records`)
    if (!isLast) coming = ask(walker, window, next)
    const keys = await walker.commitPage({ window, pass, offset, page }, walk)
    walk.addPage({ pass, total: page.total, keys })
    walker.failpoint('after-commit')
    if (isLast) return null
    offset = next
    previous = page
  }
}

function ask(walker: WindowWalker, window: SyncWindow, offset: number): Promise<ListPage> {
  walker.failpoint('before-request')
  const page = walker.readPage(window, offset)
  // when the page before it cannot be committed, nobody waits for this one: its failure is then no news
  page.catch(() => undefined)
  return page
}

/** Waits for the page, but not longer than until the run is to stop. */
function untilStopped(page: Promise<ListPage>, signal: AbortSignal): Promise<ListPage> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    page.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function isSamePage(page: ListPage, previous: ListPage | null): boolean {
  return (
    previous !== null &&
    page.records.length === previous.records.length &&
    page.records.every((record, index) => record === previous.records[index])
  )
}

function incomplete(message: string): OperationalError {
  return new OperationalError('sync-incomplete', message)
}
