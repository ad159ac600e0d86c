import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LedgerMoment } from '#lib/ledger/apply/known-pages.ts'
import type { KeptRejection } from '#lib/reconcile/records.ts'
import type { DriftSightings } from '../drift/interface-drift.ts'
import type { PageCounts, SyncList } from '../model.ts'
import type { Walk } from '../windows/walk.ts'
import type { FindKnown, KnownTexts } from './known-records.ts'
import { type ApplyPacked, createRecordPacker } from './pack-records.ts'
import type { FamiliarPage, OpenedPage, Page } from './page.ts'
import { type ParsedPage, parsePage, RECORDS_IN_A_ROW } from './parse-page.ts'
import type { RecordOf } from './parse-record.ts'
import { toRecordKey } from './record-key.ts'

/**
 * A page's part in its group. `keys` has one 64-bit hash per record; `counts` is whole once the
 * group is applied. `asOf`: when what it says was held against the ledger; null for a page that
 * will not be known when it comes again. `isKnown`: it was recognized, and not opened.
 */
export type GroupedPage = {
  offset: number
  total: number | null
  bodyHash: string
  keys: bigint[]
  counts: PageCounts
  asOf: LedgerMoment | null
  isKnown: boolean
}

/** Pages that are committed together, in which no record comes twice, ready for the database. */
export type PageGroup = {
  list: SyncList
  pages: GroupedPage[]
  /**
   * For each record that is applied: on which page it is counted, and whether the run has met it
   * before (`ofPart`).
   */
  parts: number[]
  apply: ApplyPacked
  rejections: KeptRejection[]
  /** Where records differ from the known interface, also those that cannot be read. */
  drift: DriftSightings
}

/**
 * The part of the records of a page (0, 1, ...) that are new to the run, or of those that it has
 * met before.
 */
function toPart(page: number, isRepeat: boolean): number {
  return page * 2 + (isRepeat ? 1 : 0)
}

export function ofPart(part: number): { page: number; isRepeat: boolean } {
  return { page: part >> 1, isRepeat: part % 2 === 1 }
}

/**
 * Reads pages, proves their lines, and makes them ready for the database, page by page, so that
 * little is held in memory. The pages are added to the walk. They become one group, unless a record
 * comes on two of them: the later page then begins another, which is committed later and wins.
 * Pages that are known are counted without being opened.
 */
export async function groupPages(
  list: SyncList,
  read: readonly Page[],
  walk: Walk,
  pass: number,
  findKnown: FindKnown,
): Promise<PageGroup[]> {
  const lines = await findKnown(
    list,
    read.flatMap(({ records }) => records ?? []),
  )
  const drift: DriftSightings = new Map()
  const groups: PageGroup[] = []
  let group = openGroup(list)
  let first = 0
  for (const page of read) {
    const { good, rejections, ...grouped } =
      page.known === null ? await parse(list, page, walk, drift, lines, first) : recognize(page, walk)
    first += page.records?.length ?? 0
    const written = [...good.keys(), ...[...rejections.values()].flatMap(toKeySetAside)]
    if (group.hasAnyOf(written, page.known?.keys ?? [])) {
      groups.push(group.end())
      group = openGroup(list)
    }
    for (const key of written) group.written.add(key)
    for (const { record, isRepeat, isNew } of good.values()) {
      if (group.parts.length % RECORDS_IN_A_ROW === RECORDS_IN_A_ROW - 1) await nextTurn()
      const part = toPart(group.pages.length, isRepeat)
      group.parts.push(part)
      group.packer.add({ item: record, part, isNew })
    }
    for (const [key, rejection] of rejections) group.rejections.set(key, rejection)
    group.pages.push(grouped)
    walk.addPage({ pass, total: page.total, keys: grouped.keys })
    if (page.known === null) await nextTurn()
  }
  groups.push(group.end())
  // with the first to be committed, so that no crash between two groups loses a sighting
  return groups.map((each, at) => (at === 0 ? { ...each, drift } : each))
}

/** What was read of a rejected record before is set aside with it. */
function toKeySetAside({ recordId }: KeptRejection): bigint[] {
  return recordId === null ? [] : [toRecordKey(recordId)]
}

type ReadyPage = GroupedPage & Pick<ParsedPage<RecordOf[SyncList]>, 'good' | 'rejections'>

async function parse(
  list: SyncList,
  { offset, total, bodyHash, records }: OpenedPage,
  walk: Walk,
  drift: DriftSightings,
  lines: KnownTexts | null,
  first: number,
): Promise<ReadyPage> {
  const parsed = await parsePage(list, records, walk, drift, lines, first)
  const { rejections, counts } = parsed
  const isPlain =
    rejections.size === 0 && counts.duplicate === 0 && ![...parsed.good.values()].some((good) => good.isRepeat)
  return { ...parsed, offset, total, bodyHash, asOf: isPlain && lines !== null ? lines.asOf : null, isKnown: false }
}

/**
 * What the run has met before is a duplicate, as on any page; the rest is in the ledger as it came.
 */
function recognize({ offset, total, bodyHash, known }: FamiliarPage, walk: Walk): ReadyPage {
  const { keys, asOf } = known
  const duplicate = keys.reduce((count, key) => count + (walk.isKnown(key) ? 1 : 0), 0)
  const unchanged = keys.length - duplicate
  const counts = { received: keys.length, inserted: 0, updated: 0, unchanged, duplicate, rejected: 0 }
  return { offset, total, bodyHash, keys, counts, asOf, isKnown: true, good: new Map(), rejections: new Map() }
}

function openGroup(list: SyncList) {
  const packer = createRecordPacker(list)
  const pages: GroupedPage[] = []
  const parts: number[] = []
  const rejections = new Map<bigint, KeptRejection>()
  const written = new Set<bigint>()
  return {
    packer,
    pages,
    parts,
    rejections,
    /** The keys of records that the group writes. */
    written,
    /**
     * Whether the group writes one of these records, or takes for known one that these pages write.
     */
    hasAnyOf: (writing: readonly bigint[], known: readonly bigint[]): boolean => {
      if (written.size > 0 && (writing.some((key) => written.has(key)) || known.some((key) => written.has(key))))
        return true
      if (writing.length === 0) return false
      const taken = new Set(pages.flatMap(({ isKnown, keys }) => (isKnown ? keys : [])))
      return writing.some((key) => taken.has(key))
    },
    end: (): PageGroup => ({
      list,
      pages,
      parts,
      drift: new Map(),
      apply: packer.end(),
      rejections: [...rejections.values()],
    }),
  }
}
