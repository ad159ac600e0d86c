import type { SyncWindow } from './model.ts'
import type { PageRead } from './page-group.ts'
import type { Walk } from './walk.ts'
import type { WindowWalker } from './walk-window.ts'

/** Brings pages into the ledger in the order in which they were read. */
export type Committer = {
  /** Takes a page; a group that is full goes its way while the next one is read. @throws what an earlier group has failed with. */
  add: (page: PageRead) => Promise<void>
  /** Resolves when every page is committed. */
  flush: () => Promise<void>
}

/**
 * Commits pages in groups: so many together, or what has come within a second, so that a slow platform is seen to move. One
 * group is committed at a time; what follows is parsed meanwhile.
 */
export function createCommitter(window: SyncWindow, pass: number, walk: Walk, walker: WindowWalker): Committer {
  const { groupPages, groupMs } = walker.timing
  let pages: PageRead[] = []
  let openedAt = 0
  let committing: Promise<void> = Promise.resolve()

  async function close(): Promise<void> {
    const group = await walker
      .prepareGroup(window, pass, pages, walk)
      // nobody leaves while a commit is under way
      .catch((thrown: unknown) => committing.then(() => Promise.reject(thrown)))
    pages = []
    await committing
    committing = walker.commitGroup(window, pass, group).then(() => walker.failpoint('after-commit'))
    // it is waited for with the next group, or by flush
    committing.catch(() => undefined)
  }

  return {
    add: async (page) => {
      if (pages.length === 0) openedAt = performance.now()
      pages.push(page)
      if (pages.length >= groupPages || performance.now() - openedAt >= groupMs) await close()
    },
    flush: async () => {
      if (pages.length > 0) await close()
      await committing
    },
  }
}
