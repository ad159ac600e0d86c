import type { SyncWindow } from '../model.ts'
import type { Page } from '../pages/page.ts'
import type { Walk } from '../windows/walk.ts'
import type { WindowWalker } from './window-walker.ts'

/** A page that is known is a row of the page ledger and nothing else. */
const KNOWN_PAGE_WEIGHT = 0.1

/** Brings pages into the ledger in the order in which they were read. */
export type Committer = {
  /**
   * Takes a page; a full group goes its way while the next one is read. @throws what an earlier
   * group has failed with.
   */
  add: (page: Page) => Promise<void>
  /** Resolves when every page is committed. @throws what a group has failed with. */
  flush: () => Promise<void>
}

/**
 * Commits pages in groups: so many together (of known pages more), or what has come within a
 * second, so that a slow platform is seen to move and what has arrived does not wait for what has
 * not. One group is committed at a time, in order; what follows is made ready meanwhile. After a
 * failure no later group is committed.
 */
export function createCommitter(window: SyncWindow, pass: number, walk: Walk, walker: WindowWalker): Committer {
  const { groupPages, groupMs } = walker.timing
  let pages: Page[] = []
  let weight = 0
  let timer: NodeJS.Timeout | undefined
  // groups are read one after the other, and one commit is under way at a time
  let turn: Promise<void> = Promise.resolve()
  let committing: Promise<void> = Promise.resolve()
  let committed: Promise<void> = Promise.resolve()

  function close(): Promise<void> {
    clearTimeout(timer)
    const group = pages
    pages = []
    weight = 0
    if (group.length > 0) {
      turn = turn.then(() => bring(group))
      // whoever adds the next page or flushes hears of a failure
      turn.catch(() => undefined)
    }
    return turn
  }

  async function bring(group: Page[]): Promise<void> {
    const prepared = await walker
      .prepareGroups(window, pass, group, walk)
      // nobody leaves while a commit is under way
      .catch((thrown: unknown) => committing.then(() => Promise.reject(thrown)))
    for (const each of prepared) {
      // one group may be ready while the one before it is committed
      await committed
      committed = committing
      committing = committing
        .then(() => walker.commitGroup(window, pass, each))
        .then(() => walker.failpoint('after-commit'))
      committing.catch(() => undefined)
    }
  }

  return {
    add: async (page) => {
      pages.push(page)
      weight += page.known === null ? 1 : KNOWN_PAGE_WEIGHT
      if (pages.length === 1) timer = setTimeout(close, groupMs)
      if (weight < groupPages) return
      // a group may be read from the platform while the one before it is made ready and the one
      // before that is committed
      const before = turn
      close()
      await before
    },
    flush: async () => {
      await close()
      await committing
    },
  }
}
