import { isStored, isUnknown } from '#lib/ledger/apply/find-stored.ts'
import type { FormattedRecords } from '#lib/ledger/apply/format-records.ts'
import { isSameContent } from '#lib/reconcile/json/canonical-text.ts'
import type { KeptRejection, ProfileRecord } from '#lib/reconcile/records.ts'
import type { DriftSightings } from '../drift/interface-drift.ts'
import type { PageCounts, SyncList } from '../model.ts'
import type { Walk } from '../windows/walk.ts'
import type { KnownTexts } from './known-records.ts'
import { rejectSameId } from './parse-record.ts'
import type { ReadRecords, RecordsRead, RecordToRead } from './read-records.ts'
import { toRecordKey } from './record-key.ts'

/**
 * A readable record: where it is formatted, and its profile if it is one. `isRepeat`: the run has
 * met it before. `isNew`: the ledger probably has no such record.
 */
type GoodRecord = {
  formatted: FormattedRecords
  at: number
  profile: ProfileRecord | null
  isRepeat: boolean
  isNew: boolean
}

/**
 * A page's records, each id once: another one on the page with other content is set aside, so no
 * money is lost (a page is one answer, so it is no row that moved). `keys` has one 64-bit hash per
 * record of the page. `counts` leaves out what becomes of the good records.
 */
export type ParsedPage = {
  keys: bigint[]
  good: Map<bigint, GoodRecord>
  rejections: Map<bigint, KeptRejection>
  counts: PageCounts
  drift: DriftSightings[]
}

/** A page whose records are being read, except those the ledger holds with the same text. */
export type BegunPage = { reading: Promise<RecordsRead>; toRead: (place: number) => RecordToRead; first: number }

/** Begins to read a page; its texts start at `first` in `known`. */
export function beginPage(
  list: SyncList,
  records: readonly string[],
  known: KnownTexts | null,
  first: number,
  readRecords: ReadRecords,
): BegunPage {
  const toRead = (place: number): RecordToRead => {
    const text = known?.texts[first + place]
    return {
      raw: records[place] as string,
      textHash: text?.textHash,
      other: text === undefined ? undefined : known?.others.get(text.id),
    }
  }
  const places = [...records.keys()].filter((place) => known === null || !isStored(known, first + place))
  const reading = readRecords(list, places.map(toRead))
  // an earlier page's failure may come first, and then nobody waits for this one
  reading.catch(() => undefined)
  return { reading, toRead, first }
}

/**
 * Takes a page's records in order. A record the ledger holds with the same text is counted without
 * being parsed.
 */
export async function parsePage(
  list: SyncList,
  count: number,
  { reading, toRead, first }: BegunPage,
  walk: Walk,
  known: KnownTexts | null,
  readRecords: ReadRecords,
): Promise<ParsedPage> {
  const read = takeInTurn(await reading)
  const keys: bigint[] = []
  const seen = new Set<bigint>()
  /** The text of the first readable record of each id. */
  const texts = new Map<bigint, string>()
  const good: ParsedPage['good'] = new Map()
  const rejections: ParsedPage['rejections'] = new Map()
  const drift = [read.drift]
  const counts = { received: count, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (let place = 0; place < count; place++) {
    const at = first + place
    let record: TakenRecord
    if (known !== null && isStored(known, at)) {
      const key = toRecordKey((known.texts[at] as { id: string }).id)
      // parse a record the run has met before: an uncommitted page may have changed it
      if (!walk.isKnown(key) && !seen.has(key)) {
        seen.add(key)
        texts.set(key, toRead(place).raw)
        keys.push(key)
        counts.unchanged += 1
        continue
      }
      const again = takeInTurn(await readRecords(list, [toRead(place)]))
      drift.push(again.drift)
      record = again.next()
    } else record = read.next()
    const { raw } = toRead(place)
    const earlier = texts.get(record.key)
    if (record.rejection === null && earlier === undefined) texts.set(record.key, raw)
    if (record.rejection === null && list !== 'profiles' && earlier !== undefined && !isSameContent(earlier, raw))
      record = rejectSameId(list, raw)
    const { key } = record
    const isRepeat = good.get(key)?.isRepeat ?? (walk.isKnown(key) || seen.has(key))
    keys.push(key)
    seen.add(key)
    if (record.rejection !== null) {
      counts[isRepeat ? 'duplicate' : 'rejected'] += 1
      rejections.set(key, record.rejection)
      continue
    }
    if (good.has(key)) counts.duplicate += 1
    good.set(key, { ...record.good, isRepeat, isNew: known !== null && isUnknown(known, at) && !isRepeat })
  }
  for (const [key, rejection] of rejections)
    if (isBeside(rejection, texts)) rejections.set(key, { ...rejection, recordId: null })
  return { keys, good, rejections, counts, drift }
}

/** Whether the page has a readable record of its id, too: then it does not speak for the id. */
function isBeside({ recordId }: KeptRejection, texts: ReadonlyMap<bigint, string>): boolean {
  return recordId !== null && texts.has(toRecordKey(recordId))
}

type TakenRecord = { key: bigint } & (
  | { rejection: KeptRejection }
  | { rejection: null; good: Pick<GoodRecord, 'formatted' | 'at' | 'profile'> }
)

/** The records of a batch, one after the other. */
function takeInTurn({ keys, rejections, formatted, profiles, drift }: RecordsRead) {
  let place = -1
  let at = -1
  const next = (): TakenRecord => {
    place += 1
    const key = keys[place] as bigint
    const rejection = rejections.get(place)
    if (rejection !== undefined) return { key, rejection }
    at += 1
    return { key, rejection: null, good: { formatted, at, profile: profiles[at] ?? null } }
  }
  return { drift, next }
}
