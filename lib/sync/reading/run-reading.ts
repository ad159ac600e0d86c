import type { ClaimedRun, Failpoint, SyncWindow } from '../model.ts'
import type { ListReading } from '../pages/begin-pages.ts'
import type { FindKnownPage } from '../pages/find-known-page.ts'
import type { PageSource } from '../pages/page-source.ts'
import type { SyncTiming } from '../runs/timing.ts'
import type { GroupWriter } from './group-writer.ts'

/**
 * What a held run is read with. A page comes from the `source`, ahead of its turn (page-queue.ts);
 * with others it is read and becomes a group (group-pages.ts), which goes to the `writer`
 * (page-committer.ts).
 */
export type RunReading = Pick<ListReading, 'findKnown' | 'readRecords'> & {
  run: ClaimedRun
  source: PageSource
  writer: GroupWriter
  timing: SyncTiming
  failpoint: Failpoint
  /** Aborted when the run must stop; honored between two pages. */
  signal: AbortSignal
  now: () => Date
  /** The most records the platform is asked for at once. */
  pageSize: number
}

/** One pass over one of its windows. */
export type PassReading = RunReading & ListReading & { window: SyncWindow; findKnownPage: FindKnownPage }
