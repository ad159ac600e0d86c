import type { KnownPage } from '#lib/ledger/kept/known-pages/known-pages.ts'
import type { Failpoint, SyncWindow } from '../model.ts'
import type { FindKnownPage } from '../pages/find-known-page.ts'
import type { PageGroup } from '../pages/group-pages.ts'
import type { Page } from '../pages/page.ts'
import type { SyncTiming } from '../runs/timing.ts'
import type { Walk } from '../windows/walk.ts'

/** What reading a window needs from its run. */
export type WindowWalker = {
  /** For one reading of the window, from an offset on. */
  openKnownPages: (window: SyncWindow, fromOffset: number) => FindKnownPage
  /** The page at an offset; opened unless it is the `known` one, byte for byte. */
  readPage: (window: SyncWindow, offset: number, known: KnownPage | null) => Promise<Page>
  /** Parses consecutive pages, prepares them for the database, and adds them to the walk. */
  prepareGroups: (window: SyncWindow, pass: number, pages: readonly Page[], walk: Walk) => Promise<PageGroup[]>
  /** Commits a group in one transaction, after the group `before` it. */
  commitGroup: (window: SyncWindow, pass: number, group: PageGroup, before: Promise<void>) => Promise<void>
  failpoint: Failpoint
  timing: Pick<SyncTiming, 'groupPages' | 'groupMs' | 'pagesAhead'>
  /** Aborted when the run must stop; honored between two pages. */
  signal: AbortSignal
}
