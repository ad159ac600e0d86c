import { OperationalError } from '../errors.ts'
import type { ListPage } from '../partner/data-client.ts'
import type { PageToCommit } from './commit-page.ts'
import type { ClaimedRun, Failpoint, SyncList } from './model.ts'
import { listWalkedPages, moveRun } from './run-store.ts'
import { createWalk, type Walk } from './walk.ts'

/** How often a list that moves is read from its start again before the run gives up. */
const MAX_PASSES = 5
/** A list that grows while it is read is followed; one that never ends is not. */
const MAX_GROWTH = { factor: 2, records: 10_000 }
const MAX_RECORDS_WITHOUT_TOTAL = 10_000_000

export type ListWalker = {
  readPage: (list: SyncList, offset: number) => Promise<ListPage>
  /** Commits the page; returns the keys of its records. */
  commitPage: (page: PageToCommit, walk: Walk) => Promise<string[]>
  failpoint: Failpoint
  /** Aborted when the run is to stop; honored between two pages. */
  signal: AbortSignal
}

/**
 * Reads one list to its end, from where the run stands, and again from the start while it moves or ends early.
 * The next page is asked for while the current one is applied.
 * @throws OperationalError sync-incomplete when the list does not come to its own count; what arrived is kept.
 */
export async function walkList(run: ClaimedRun, list: SyncList, walker: ListWalker): Promise<void> {
  const isResumed = run.phase === list
  let pass = isResumed ? run.pass : 1
  let offset = isResumed ? run.cursorOffset : 0
  const walk = createWalk()
  if (isResumed) for (const page of await listWalkedPages(run, list)) walk.addPage(page)
  for (;;) {
    await walkPass(list, pass, offset, walk, walker)
    if (walk.judgePass(pass) === 'complete') return
    if (pass >= MAX_PASSES) {
      const { distinct, total } = walk.describe()
      throw incomplete(`${list}: ${distinct} different records of ${total} after ${pass} readings`)
    }
    pass += 1
    offset = 0
    await moveRun(run, list, pass)
  }
}

async function walkPass(list: SyncList, pass: number, start: number, walk: Walk, walker: ListWalker): Promise<void> {
  let offset = start
  let limit: number | null = null
  let previous: ListPage | null = null
  let coming = ask(walker, list, offset)
  for (;;) {
    const page = await untilStopped(coming, walker.signal)
    walker.failpoint('after-response')
    // an empty page ends the list, whatever its count says; so does a page that comes twice (offsets are ignored then)
    if (page.records.length === 0) walk.addPage({ pass, total: page.total, keys: [] })
    if (page.records.length === 0 || isSamePage(page, previous)) return
    const next = offset + page.records.length
    const isLast = page.total !== null && next >= page.total
    limit ??= page.total === null ? MAX_RECORDS_WITHOUT_TOTAL : page.total * MAX_GROWTH.factor + MAX_GROWTH.records
    if (next > limit) throw incomplete(`${list}: the list does not end after ${next} records`)
    if (!isLast) coming = ask(walker, list, next)
    const keys = await walker.commitPage({ list, pass, offset, page }, walk)
    walk.addPage({ pass, total: page.total, keys })
    walker.failpoint('after-commit')
    if (isLast) return
    offset = next
    previous = page
  }
}

function ask(walker: ListWalker, list: SyncList, offset: number): Promise<ListPage> {
  walker.failpoint('before-request')
  const page = walker.readPage(list, offset)
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
