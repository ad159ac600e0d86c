import { keepStatistics } from '#lib/ledger/apply/keep-statistics.ts'
import { refreshStatistics } from '#lib/ledger/apply/refresh-statistics.ts'
import { log } from '#lib/log.ts'
import type { Failpoint, SyncWindow } from '../model.ts'
import { commitGroup } from '../pages/commit-group.ts'
import type { PageGroup } from '../pages/group-pages.ts'
import type { GiveWay } from '../runs/give-way.ts'
import type { Hold } from '../runs/lease.ts'
import { keepNotes, noteInvoices } from './keep-notes.ts'

/** Where the groups of a run go. */
export type GroupWriter = ReturnType<typeof openGroupWriter>

/**
 * Writes the groups of a held run. After each it leaves the machine to people while they are here,
 * and keeps statistics and notes up with what was written; neither can fail the run.
 */
export function openGroupWriter(
  hold: Hold,
  { giveWay, failpoint, signal }: { giveWay: GiveWay; failpoint: Failpoint; signal: AbortSignal },
) {
  const { run, timing } = hold
  const note = keepNotes(
    () => noteInvoices(run, signal),
    (thrown) => log.warn({ run: run.id, reason: String(thrown) }, 'invoices could not be noted'),
  )
  const statistics = keepStatistics(
    (isRough) => refreshStatistics(run.organizationId, { isRough }),
    (thrown) => log.warn({ run: run.id, reason: String(thrown) }, 'statistics could not be refreshed'),
  )
  return {
    /** Commits a group in one transaction, after the group `before` it. @throws as `commitGroup` */
    write: async (window: SyncWindow, pass: number, group: PageGroup, before: Promise<void>): Promise<void> => {
      const readTime = () => performance.now()
      // it is written from then on; why the group before failed is not asked here
      const begin = before.then(readTime, readTime)
      const { leaseMs } = timing
      const { inserted, updated } = await commitGroup(run, window, pass, group, { before, leaseMs, failpoint })
      statistics.note(inserted + updated)
      hold.takes = 0
      const isAnybodyHere = await giveWay(performance.now() - (await begin))
      await note({ written: inserted + updated, isAnybodyHere })
      failpoint('after-commit')
    },
    /** Resolves when the planner's statistics know what was written. Never rejects. */
    settle: statistics.settle,
  }
}
