import { createPacker } from '#lib/ledger/apply/format-records.ts'
import type { KeptRejection, ProfileRecord } from '#lib/reconcile/records.ts'
import type { DriftSightings } from '../drift/interface-drift.ts'
import type { SyncList } from '../model.ts'
import type { Walk } from '../windows/walk.ts'
import type { PackedList } from './apply-packed.ts'
import { beginPages, type ListReading } from './begin-pages.ts'
import type { FamiliarPage, Page } from './page.ts'
import { type GroupedPage, type ParsedPage, parsePage } from './parse-page.ts'
import { toRecordKey } from './record-key.ts'

/** Pages committed together, ready for the database. No record comes twice in them. */
export type PageGroup = PackedList & {
  pages: GroupedPage[]
  /**
   * For each applied record: the page that counts it, and whether the run met it before (`ofPart`).
   */
  parts: number[]
  rejections: KeptRejection[]
  /** Where records differ from the known interface, unreadable ones included. */
  drift: DriftSightings
}

/** Packs page (0, 1, ...) and repeat flag into one number. */
function toPart(page: number, isRepeat: boolean): number {
  return page * 2 + (isRepeat ? 1 : 0)
}

export function ofPart(part: number): { page: number; isRepeat: boolean } {
  return { page: part >> 1, isRepeat: part % 2 === 1 }
}

/**
 * Reads pages, proves their lines and prepares them for the database. Adds the pages to the walk.
 * They form one group, unless a record comes on two of them: the later page then starts a new
 * group, which is committed later and wins. Known pages are counted without being opened.
 */
export async function groupPages(reading: ListReading, pages: readonly Page[]): Promise<PageGroup[]> {
  const { list, pass, walk } = reading
  const drift: DriftSightings = new Map()
  const groups: PageGroup[] = []
  let group = openGroup(list)
  for (const page of await beginPages(reading, pages)) {
    const { good, rejections, ...grouped } =
      page.known === null ? await parsePage(reading, page, drift) : recognize(page, walk)
    const written = [...good.keys(), ...[...rejections.values()].flatMap(toKeySetAside)]
    if (group.hasAnyOf(written, page.known?.keys ?? [])) {
      groups.push(group.end())
      group = openGroup(list)
    }
    for (const key of written) group.written.add(key)
    for (const { formatted, at: row, profile, isRepeat, isNew } of good.values()) {
      const part = toPart(group.pages.length, isRepeat)
      group.parts.push(part)
      group.packer.add(formatted, row, { part, isNew })
      if (profile !== null) group.profiles.push(profile)
    }
    for (const [key, rejection] of rejections) group.rejections.set(key, rejection)
    group.pages.push(grouped)
    walk.addPage({ pass, total: page.total, keys: grouped.keys })
  }
  groups.push(group.end())
  // in the first group to commit, so a crash between two groups loses no sighting
  return groups.map((each, at) => (at === 0 ? { ...each, drift } : each))
}

/** A rejected record also sets aside what was read of it before. */
function toKeySetAside({ recordId }: KeptRejection): bigint[] {
  return recordId === null ? [] : [toRecordKey(recordId)]
}

/**
 * Records the run has met before are duplicates, as on any page; the rest is in the ledger already.
 */
function recognize({ offset, total, bodyHash, known }: FamiliarPage, walk: Walk): ParsedPage {
  const { keys, asOf } = known
  const duplicate = keys.reduce((count, key) => count + (walk.isKnown(key) ? 1 : 0), 0)
  const unchanged = keys.length - duplicate
  const counts = { received: keys.length, inserted: 0, updated: 0, unchanged, duplicate, rejected: 0 }
  return { offset, total, bodyHash, keys, counts, asOf, isKnown: true, good: new Map(), rejections: new Map() }
}

function openGroup(list: SyncList) {
  const packer = createPacker()
  const profiles: ProfileRecord[] = []
  const pages: GroupedPage[] = []
  const parts: number[] = []
  const rejections = new Map<bigint, KeptRejection>()
  const written = new Set<bigint>()
  return {
    packer,
    profiles,
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
      packed: packer.end(),
      profiles,
      rejections: [...rejections.values()],
    }),
  }
}
