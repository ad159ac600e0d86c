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
 * A page within its group. `keys` has one 64-bit hash per record; `counts` is complete once the
 * group is applied. `asOf`: when the page was compared with the ledger; null for a page that will
 * not be known next time. `isKnown`: it was recognized and not opened.
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

/** Pages committed together, ready for the database. No record comes twice in them. */
export type PageGroup = {
  list: SyncList
  pages: GroupedPage[]
  /**
   * For each applied record: the page that counts it, and whether the run met it before (`ofPart`).
   */
  parts: number[]
  apply: ApplyPacked
  rejections: KeptRejection[]
  /** Where records differ from the known interface, unreadable ones included. */
  drift: DriftSightings
}

/** One number for a page (0, 1, ...) and whether its record is a repeat within the run. */
function toPart(page: number, isRepeat: boolean): number {
  return page * 2 + (isRepeat ? 1 : 0)
}

export function ofPart(part: number): { page: number; isRepeat: boolean } {
  return { page: part >> 1, isRepeat: part % 2 === 1 }
}

/**
 * Reads pages, proves their lines and prepares them for the database, one page at a time to hold
 * little in memory. Adds the pages to the walk. They form one group, unless a record comes on two
 * of them: the later page then starts a new group, which is committed later and wins. Known pages
 * are counted without being opened.
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
  // in the first group to commit, so a crash between two groups loses no sighting
  return groups.map((each, at) => (at === 0 ? { ...each, drift } : each))
}

/** A rejected record also sets aside what was read of it before. */
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
 * Records the run has met before are duplicates, as on any page; the rest is in the ledger already.
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
    /** The keys of the records the group writes. */
    written,
    /** Whether it writes one of these records, or has a known page with one of `writing`. */
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
