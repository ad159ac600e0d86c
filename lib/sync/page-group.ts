import { setImmediate as nextTurn } from 'node:timers/promises'
import { withTenantSql } from '../db/tenant.ts'
import { hashText } from '../hash-text.ts'
import type { RecordOfPart } from '../ledger/apply-records.ts'
import {
  findStoredLines,
  hasLines,
  isStored,
  isUnknown,
  type LineText,
  NOTHING_STORED,
  type OtherText,
  type StoredLines,
} from '../ledger/find-stored-lines.ts'
import type { RejectionToKeep } from '../ledger/records-to-apply.ts'
import type { ListPage } from '../partner/data-client.ts'
import { isSameContent } from '../partner/json-text.ts'
import type { DriftSightings } from './interface-drift.ts'
import type { ClaimedRun, PageCounts, SyncList } from './model.ts'
import { parseRecord, type RecordOf } from './parse-record.ts'
import { toRecordKey } from './record-key.ts'
import type { Walk } from './walk.ts'

/** A page of a window as it came. */
export type PageRead = { offset: number; page: ListPage }

/** A page's part in its group. `keys` has one 64-bit hash per record; `counts` is whole once the group is applied. */
export type GroupedPage = { offset: number; total: number | null; keys: bigint[]; counts: PageCounts }

/**
 * Pages that are committed together, each record once: a later one wins. The part of a record says on which page it is
 * counted, and whether the run has met it before (`ofPart`).
 */
export type PageGroup<L extends SyncList = SyncList> = {
  list: L
  pages: GroupedPage[]
  records: RecordOfPart<RecordOf[L]>[]
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
 * Reads pages record by record: what cannot be read is set aside with its reason and does not touch the others (F23). Where
 * `known` says of a line that it is in the ledger with the same text, it is counted without being parsed. The pages are
 * added to the walk.
 */
export async function groupPages<L extends SyncList>(
  list: L,
  read: readonly PageRead[],
  walk: Walk,
  pass: number,
  known: KnownTexts | null = null,
): Promise<PageGroup<L>> {
  const pages: GroupedPage[] = []
  const texts = known?.texts ?? []
  const drift: DriftSightings = new Map()
  const good = new Map<bigint, RecordOfPart<RecordOf[L]>>()
  const bad = new Map<bigint, RejectionToKeep>()
  let at = 0
  for (const [number, { offset, page }] of read.entries()) {
    const { total } = page
    const counts = { received: page.records.length, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
    const keys = new Set<bigint>()
    const allKeys: bigint[] = []
    pages.push({ offset, total, keys: allKeys, counts })
    for (const raw of page.records) {
      const text = texts[at]
      const storedKey = text !== undefined && known !== null && isStored(known, at) ? toRecordKey(text.id) : null
      const isUnmet = known !== null && isUnknown(known, at)
      at += 1
      // a record that the run has met before is read: a page that is not committed yet may have changed it
      if (storedKey !== null && !walk.isKnown(storedKey) && !keys.has(storedKey)) {
        keys.add(storedKey)
        allKeys.push(storedKey)
        counts.unchanged += 1
        continue
      }
      const parsed = parseRecord(list, raw, drift, text?.textHash)
      const { key } = parsed
      const isRepeat = walk.isKnown(key) || keys.has(key)
      keys.add(key)
      allKeys.push(key)
      if (!parsed.ok) {
        counts[isRepeat ? 'duplicate' : 'rejected'] += 1
        bad.set(key, parsed.rejection)
        continue
      }
      const item = withKnownContent(parsed.record, text === undefined ? undefined : known?.others.get(text.id))
      const earlier = good.get(key)
      if (earlier !== undefined) {
        const before = ofPart(earlier.part)
        ;(pages[before.page] as GroupedPage).counts.duplicate += 1
        good.set(key, { item, part: toPart(number, before.isRepeat) })
      } else good.set(key, { item, part: toPart(number, isRepeat), isNew: isUnmet && !isRepeat })
    }
    walk.addPage({ pass, total, keys: allKeys })
    // answers that have come meanwhile are taken, and the next pages asked for
    await nextTurn()
  }
  return { list, pages, records: [...good.values()], rejections: [...bad.values()], drift }
}

/** The platform spells a record anew (the order of keys, white space) without changing it: that is no change of content. */
function withKnownContent<T extends { raw: string; contentHash: string }>(record: T, other: OtherText | undefined): T {
  return other !== undefined && isSameContent(record.raw, other.raw)
    ? { ...record, contentHash: other.contentHash }
    : record
}

/** What the ledger says to the texts of lines, in their order. */
export type KnownTexts = StoredLines & { texts: LineText[] }

const ID = /"id"\s*:\s*(?:"([^"\\]{1,255})"|(-?\d{1,255})\b)/

/** Looks lines up before they are parsed. Null for another list. */
export type FindKnown = (list: SyncList, read: readonly PageRead[]) => Promise<KnownTexts | null>

/** For one hold of a run: a connection that has no line when it begins is not asked for any. */
export function createFindKnown(run: Pick<ClaimedRun, 'organizationId' | 'connectionId'>): FindKnown {
  let isEmpty: Promise<boolean> | null = null
  return async (list, read) => {
    if (list !== 'lines') return null
    const texts = read.flatMap(({ page }) => page.records.map((raw) => ({ id: guessId(raw), textHash: hashText(raw) })))
    isEmpty ??= withTenantSql(run.organizationId, async (sql) => !(await hasLines(sql, run)))
    if (await isEmpty) return { texts, ...NOTHING_STORED }
    return { texts, ...(await withTenantSql(run.organizationId, (sql) => findStoredLines(sql, run, texts))) }
  }
}

/** Where to look for a line: the first member named id. A wrong guess costs time, nothing else. */
function guessId(raw: string): string {
  const [, text, digits] = ID.exec(raw) ?? []
  return text ?? digits ?? ''
}
