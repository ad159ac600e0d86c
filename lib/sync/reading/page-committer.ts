import type { ListReading } from '../pages/begin-pages.ts'
import { groupPages } from '../pages/group-pages.ts'
import type { Page } from '../pages/page.ts'
import type { PassReading } from './run-reading.ts'

/** A known page is a row of the page ledger and nothing else. */
const KNOWN_PAGE_WEIGHT = 0.1

/** Commits pages to the ledger in reading order. */
export type Committer = {
  /**
   * Takes a page; a full group is processed while the next is read. @throws an earlier group's
   * error, as soon as it is known
   */
  add: (page: Page) => Promise<void>
  /** Resolves when every page is committed. @throws a group's error */
  flush: () => Promise<void>
}

/**
 * Commits pages in groups: a fixed number (more of known pages), or what came within `groupMs`, so
 * a slow platform still shows progress. Commits one group at a time, in order; meanwhile the next
 * one is sent to the database and the one after it prepared. After a failure no later group is
 * committed.
 */
export function createCommitter(reading: ListReading & Pick<PassReading, 'window' | 'writer' | 'timing'>): Committer {
  const { window, pass, writer, timing } = reading
  let pages: Page[] = []
  let weight = 0
  let timer: NodeJS.Timeout | undefined
  // groups are prepared one after the other, and committed one after the other
  let turn: Promise<void> = Promise.resolve()
  let committing: Promise<void> = Promise.resolve()
  let committed: Promise<void> = Promise.resolve()
  let hasFailed = false
  const noteFailure = () => {
    hasFailed = true
  }

  function close(): Promise<void> {
    clearTimeout(timer)
    const group = pages
    pages = []
    weight = 0
    if (group.length > 0) {
      turn = turn.then(() => bring(group))
      // the next add or flush rethrows it
      turn.catch(noteFailure)
    }
    return turn
  }

  async function bring(group: Page[]): Promise<void> {
    const prepared = await groupPages(reading, group)
      // wait for the commit under way before failing
      .catch((thrown: unknown) => committing.then(() => Promise.reject(thrown)))
    for (const each of prepared) {
      // at most one group goes to the database while another is committed
      await committed
      const before = committing
      committed = before
      committing = writer
        .write(window, pass, each, before)
        // the commit under way comes to its end first, and its failure counts
        .catch((thrown: unknown) => before.then(() => Promise.reject(thrown)))
      committing.catch(noteFailure)
    }
  }

  /** What came since is given up: it is asked for again. */
  async function fail(): Promise<void> {
    clearTimeout(timer)
    await turn
    await committing
  }

  async function flush(): Promise<void> {
    await close()
    await committing
  }

  return {
    add: async (page) => {
      // groups may all be closed by time, and nothing else would ask: the rest of a long list would
      // be read for nothing
      if (hasFailed) await fail()
      pages.push(page)
      weight += page.known === null ? 1 : KNOWN_PAGE_WEIGHT
      if (pages.length === 1) timer = setTimeout(close, timing.groupMs)
      if (weight < timing.groupPages) return
      // one group may be read from the platform while the one before is prepared and the one before
      // that is committed
      const before = turn
      close()
      await before
    },
    flush,
  }
}
