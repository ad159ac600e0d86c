import type { SyncWindow } from '../model.ts'
import type { FindKnownPage } from '../pages/find-known-page.ts'
import type { Page } from '../pages/page.ts'
import type { WindowWalker } from './window-walker.ts'

/** The pages of a window, asked for before they are needed. */
export type PageQueue = {
  /**
   * The page at an offset, asked for now unless it was already. @throws the reason of the signal
   * when the run is to stop.
   */
  take: (offset: number) => Promise<Page>
  /**
   * Asks for the pages from `next` on, going by the page before them: a few, and none beyond the
   * list's count.
   */
  lookAhead: (next: number, before: Page) => void
}

/**
 * A queue for one reading of a window. A list without a count is read one page ahead: where it ends
 * is not known.
 */
export function createPageQueue(window: SyncWindow, findKnownPage: FindKnownPage, walker: WindowWalker): PageQueue {
  const { signal, failpoint, timing } = walker
  const asked = new Map<number, Promise<Page>>()

  function ask(offset: number): Promise<Page> {
    const before = asked.get(offset)
    if (before !== undefined) return before
    failpoint('before-request')
    const page = findKnownPage(offset).then((known) => walker.readPage(window, offset, known))
    // when a page before it cannot be committed, nobody waits for this one: its failure is then no
    // news
    page.catch(() => undefined)
    asked.set(offset, page)
    return page
  }

  return {
    take: async (offset) => {
      const page = await untilStopped(ask(offset), signal)
      failpoint('after-response')
      asked.delete(offset)
      return page
    },
    lookAhead: (next, { total, count: step }) => {
      const count = total === null ? 1 : timing.pagesAhead
      const wanted = Array.from({ length: count }, (_, at) => next + at * step)
      // a page that was shorter than those before it: what was asked for by their length overlaps
      for (const offset of asked.keys()) if (!wanted.includes(offset)) asked.delete(offset)
      for (const offset of wanted) if (total === null || offset < total) ask(offset)
    },
  }
}

/** Waits for the page, but not longer than until the run is to stop. */
function untilStopped(page: Promise<Page>, signal: AbortSignal): Promise<Page> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    page.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
