import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStored, isUnknown, type OtherText } from '#lib/ledger/apply/find-stored.ts'
import { isSameContent } from '#lib/reconcile/json/canonical-text.ts'
import type { KeptRejection } from '#lib/reconcile/records.ts'
import type { DriftSightings } from '../drift/interface-drift.ts'
import type { PageCounts, SyncList } from '../model.ts'
import type { Walk } from '../windows/walk.ts'
import type { KnownTexts } from './known-records.ts'
import { parseRecord, type RecordOf } from './parse-record.ts'
import { toRecordKey } from './record-key.ts'

/**
 * How many records to read before yielding the event loop to answers, requests for the next pages,
 * and an open transaction.
 */
export const RECORDS_IN_A_ROW = 10

/** `isRepeat`: the run has met it before. `isNew`: the ledger probably has no such record. */
type GoodRecord<T> = { record: T; isRepeat: boolean; isNew: boolean }

/**
 * A page's records, each id once: a later one on the page wins. `keys` has one 64-bit hash per
 * record of the page. `counts` leaves out what becomes of the good records.
 */
export type ParsedPage<T> = {
  keys: bigint[]
  good: Map<bigint, GoodRecord<T>>
  rejections: Map<bigint, KeptRejection>
  counts: PageCounts
}

/**
 * Reads a page record by record. An unreadable record is set aside with its reason and does not
 * affect the others (F23). A record the ledger holds with the same text is counted without being
 * parsed; the page's texts start at `first` in `known`. Adds deviations from the known interface to
 * `drift`.
 */
export async function parsePage<L extends SyncList>(
  list: L,
  records: readonly string[],
  walk: Walk,
  drift: DriftSightings,
  known: KnownTexts | null,
  first: number,
): Promise<ParsedPage<RecordOf[L]>> {
  const keys: bigint[] = []
  const seen = new Set<bigint>()
  const good: ParsedPage<RecordOf[L]>['good'] = new Map()
  const rejections: ParsedPage<RecordOf[L]>['rejections'] = new Map()
  const counts = { received: records.length, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const [place, raw] of records.entries()) {
    if (place % RECORDS_IN_A_ROW === RECORDS_IN_A_ROW - 1) await nextTurn()
    const at = first + place
    const text = known?.texts[at]
    if (text !== undefined && known !== null && isStored(known, at)) {
      const key = toRecordKey(text.id)
      // parse a record the run has met before: an uncommitted page may have changed it
      if (!walk.isKnown(key) && !seen.has(key)) {
        seen.add(key)
        keys.push(key)
        counts.unchanged += 1
        continue
      }
    }
    const parsed = parseRecord(list, raw, drift, text?.textHash)
    const { key } = parsed
    const isRepeat = good.get(key)?.isRepeat ?? (walk.isKnown(key) || seen.has(key))
    keys.push(key)
    seen.add(key)
    if (!parsed.ok) {
      counts[isRepeat ? 'duplicate' : 'rejected'] += 1
      rejections.set(key, parsed.rejection)
      continue
    }
    if (good.has(key)) counts.duplicate += 1
    const record = withKnownContent(parsed.record, text === undefined ? undefined : known?.others.get(text.id))
    good.set(key, { record, isRepeat, isNew: known !== null && isUnknown(known, at) && !isRepeat })
  }
  return { keys, good, rejections, counts }
}

/**
 * The platform may rewrite a record without changing it (key order, white space). That is not a
 * change of content.
 */
function withKnownContent<T extends { raw: string; contentHash: string }>(record: T, other: OtherText | undefined): T {
  return other !== undefined && isSameContent(record.raw, other.raw)
    ? { ...record, contentHash: other.contentHash }
    : record
}
