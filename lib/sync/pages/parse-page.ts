import type { FormattedRecords } from '#lib/ledger/apply/format-records.ts'
import type { LedgerMoment } from '#lib/ledger/sql/moment.ts'
import { isSameContent } from '#lib/reconcile/json/canonical-text.ts'
import type { KeptRejection, ProfileRecord } from '#lib/reconcile/records.ts'
import { addSightings, type DriftSightings } from '../drift/interface-drift.ts'
import type { PageCounts } from '../model.ts'
import type { BegunPage, ListReading } from './begin-pages.ts'
import { rejectSameId } from './parse-record.ts'
import type { RecordsRead } from './read-records.ts'
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

/**
 * A page with its records, each id once: another one on the page with other content is set aside,
 * so no money is lost (a page is one answer, so it is no row that moved). `counts` leaves out what
 * becomes of the good ones.
 */
export type ParsedPage = GroupedPage & { good: Map<bigint, GoodRecord>; rejections: Map<bigint, KeptRejection> }

/**
 * Takes a page's records in order. A record the ledger holds with the same text is counted without
 * being parsed. Where records differ from the known interface is added to `drift`.
 */
export async function parsePage(
  { list, walk, readRecords }: ListReading,
  page: BegunPage,
  drift: DriftSightings,
): Promise<ParsedPage> {
  const read = takeInTurn(await page.read, drift)
  const keys: bigint[] = []
  const seen = new Set<bigint>()
  /** The text of the first readable record of each id. */
  const texts = new Map<bigint, string>()
  const good: ParsedPage['good'] = new Map()
  const rejections: ParsedPage['rejections'] = new Map()
  const counts = { received: page.count, inserted: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const [place, raw] of page.records.entries()) {
    let record: TakenRecord
    const storedId = page.storedId(place)
    if (storedId !== null) {
      const key = toRecordKey(storedId)
      // parse a record the run has met before: an uncommitted page may have changed it
      if (!walk.isKnown(key) && !seen.has(key)) {
        seen.add(key)
        texts.set(key, raw)
        keys.push(key)
        counts.unchanged += 1
        continue
      }
      record = takeInTurn(await readRecords(list, [page.toRead(place)]), drift)()
    } else record = read()
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
    good.set(key, { ...record.good, isRepeat, isNew: page.isUnknown(place) && !isRepeat })
  }
  for (const [key, rejection] of rejections)
    if (isBeside(rejection, texts)) rejections.set(key, { ...rejection, recordId: null })
  const isPlain =
    rejections.size === 0 && counts.duplicate === 0 && ![...good.values()].some(({ isRepeat }) => isRepeat)
  const { offset, total, bodyHash } = page
  return { offset, total, bodyHash, keys, counts, asOf: isPlain ? page.asOf : null, isKnown: false, good, rejections }
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
function takeInTurn(
  { keys, rejections, formatted, profiles, drift: seen }: RecordsRead,
  drift: DriftSightings,
): () => TakenRecord {
  addSightings(drift, seen)
  let place = -1
  let at = -1
  return () => {
    place += 1
    const key = keys[place] as bigint
    const rejection = rejections.get(place)
    if (rejection !== undefined) return { key, rejection }
    at += 1
    return { key, rejection: null, good: { formatted, at, profile: profiles[at] ?? null } }
  }
}
