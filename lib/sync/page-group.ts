import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RejectionToKeep } from '../ledger/records-to-apply.ts'
import type { ListPage } from '../partner/data-client.ts'
import type { DriftSightings } from './interface-drift.ts'
import type { FindKnown } from './known-lines.ts'
import type { PageCounts, SyncList } from './model.ts'
import { type ApplyPacked, createRecordPacker } from './pack-records.ts'
import { parsePage, RECORDS_IN_A_ROW } from './parse-page.ts'
import type { Walk } from './walk.ts'

/** A page of a window as it came. */
export type PageRead = { offset: number; page: ListPage }

/** A page's part in its group. `keys` has one 64-bit hash per record; `counts` is whole once the group is applied. */
export type GroupedPage = { offset: number; total: number | null; keys: bigint[]; counts: PageCounts }

/** Pages that are committed together, in which no record comes twice, ready for the database. */
export type PageGroup = {
  list: SyncList
  pages: GroupedPage[]
  /** For each record that is applied: on which page it is counted, and whether the run has met it before (`ofPart`). */
  parts: number[]
  apply: ApplyPacked
  rejections: RejectionToKeep[]
  /** Where records differ from the known interface, also those that cannot be read. */
  drift: DriftSightings
}

/** The part of the records of a page (0, 1, ...) that are new to the run, or of those that it has met before. */
export function toPart(page: number, isRepeat: boolean): number {
  return page * 2 + (isRepeat ? 1 : 0)
}

export function ofPart(part: number): { page: number; isRepeat: boolean } {
  return { page: part >> 1, isRepeat: part % 2 === 1 }
}

/**
 * Reads pages, proves their lines, and makes them ready for the database, page by page, so that little is held in memory. The
 * pages are added to the walk. They become one group, unless a record comes on two of them: the later page then begins
 * another, which is committed later and wins.
 */
export async function groupPages(
  list: SyncList,
  read: readonly PageRead[],
  walk: Walk,
  pass: number,
  findKnown: FindKnown,
): Promise<PageGroup[]> {
  const known = await findKnown(
    list,
    read.flatMap(({ page }) => page.records),
  )
  const drift: DriftSightings = new Map()
  const groups: PageGroup[] = []
  let group = openGroup(list)
  let first = 0
  for (const { offset, page } of read) {
    const { total, records } = page
    const { keys, good, rejections, counts } = await parsePage(list, records, walk, drift, known, first)
    first += records.length
    if ([...good.keys()].some((key) => group.applied.has(key))) {
      groups.push(group.end())
      group = openGroup(list)
    }
    for (const [key, { record, isRepeat, isNew }] of good) {
      if (group.parts.length % RECORDS_IN_A_ROW === RECORDS_IN_A_ROW - 1) await nextTurn()
      const part = toPart(group.pages.length, isRepeat)
      group.applied.add(key)
      group.parts.push(part)
      group.packer.add({ item: record, part, isNew })
    }
    for (const [key, rejection] of rejections) group.rejections.set(key, rejection)
    group.pages.push({ offset, total, keys, counts })
    walk.addPage({ pass, total, keys })
    await nextTurn()
  }
  groups.push(group.end())
  // with the first to be committed, so that no crash between two groups loses a sighting
  return groups.map((each, at) => (at === 0 ? { ...each, drift } : each))
}

function openGroup(list: SyncList) {
  const packer = createRecordPacker(list)
  const pages: GroupedPage[] = []
  const parts: number[] = []
  const rejections = new Map<bigint, RejectionToKeep>()
  return {
    packer,
    pages,
    parts,
    rejections,
    applied: new Set<bigint>(),
    end: (): PageGroup => ({
      ...{ list, pages, parts, drift: new Map() },
      apply: packer.end(),
      rejections: [...rejections.values()],
    }),
  }
}
