import type { Page } from '../pages/page.ts'
import type { PassReading } from './run-reading.ts'

/** The pages of a window, asked for before they are needed. */
export type PageQueue = {
  /**
   * The page at an offset, asked for now if it was not before. @throws the signal's reason on abort
   */
  take: (offset: number) => Promise<Page>
  /**
   * Asks ahead for pages from `next` on, sized like the page `before`, never beyond the list's
   * count.
   */
  lookAhead: (next: number, before: Page) => void
}

/**
 * A queue for one reading of a window. Reads a list without a count one page ahead, as its end is
 * unknown.
 */
export function createPageQueue(reading: PassReading): PageQueue {
  const { window, source, findKnownPage, signal, failpoint, timing } = reading
  const asked = new Map<number, Promise<Page>>()

  function ask(offset: number): Promise<Page> {
    const before = asked.get(offset)
    if (before !== undefined) return before
    failpoint('before-request')
    const page = findKnownPage(offset).then((known) => source.readPage(window, offset, known))
    // if an earlier page cannot be committed, nobody awaits this one: ignore its failure
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
      // after a shorter page, requests at offsets based on the old length would overlap: drop them
      for (const offset of asked.keys()) if (!wanted.includes(offset)) asked.delete(offset)
      for (const offset of wanted) if (total === null || offset < total) ask(offset)
    },
  }
}

/** Waits for the page, but rejects as soon as the run must stop. */
function untilStopped(page: Promise<Page>, signal: AbortSignal): Promise<Page> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    page.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
