import { isStored, isUnknown } from '#lib/ledger/apply/find-stored.ts'
import type { LedgerMoment } from '#lib/ledger/sql/moment.ts'
import type { SyncList } from '../model.ts'
import type { Walk } from '../windows/walk.ts'
import type { FindKnown, KnownTexts } from './known-records.ts'
import type { FamiliarPage, OpenedPage, Page } from './page.ts'
import type { ReadRecords, RecordsRead, RecordToRead } from './read-records.ts'

/**
 * One reading of a list: what the run has seen of it over all passes (`walk`), what the ledger
 * holds of its records, and who reads the others.
 */
export type ListReading = {
  list: SyncList
  pass: number
  walk: Walk
  findKnown: FindKnown
  readRecords: ReadRecords
}

/** A page whose records are being read, except those the ledger holds with the same text. */
export type BegunPage = OpenedPage & {
  /** What is read of the others, in their order. */
  read: Promise<RecordsRead>
  /** When the page was compared with the ledger; null if it was not. */
  asOf: LedgerMoment | null
  /** The id of the record at a place that is not read; null for the others. */
  storedId: (place: number) => string | null
  /** Whether the ledger was asked, and probably has no such record. */
  isUnknown: (place: number) => boolean
  toRead: (place: number) => RecordToRead
}

/**
 * Looks the records of opened pages up in the ledger and begins to read the rest, all at once: the
 * reader goes on while a page that it has read is taken.
 */
export async function beginPages(reading: ListReading, pages: readonly Page[]): Promise<(FamiliarPage | BegunPage)[]> {
  const records = pages.flatMap((page) => page.records ?? [])
  const known = await reading.findKnown(reading.list, records)
  let first = 0
  return pages.map((page) => {
    if (page.known !== null) return page
    const begun = beginPage(reading, page, known, first)
    first += page.count
    return begun
  })
}

/** The page's texts start at `first` in `known`. */
function beginPage(
  { list, readRecords }: ListReading,
  page: OpenedPage,
  known: KnownTexts | null,
  first: number,
): BegunPage {
  const { records } = page
  const storedId = (place: number) =>
    known !== null && isStored(known, first + place) ? (known.texts[first + place] as { id: string }).id : null
  const toRead = (place: number): RecordToRead => {
    const text = known?.texts[first + place]
    return {
      raw: records[place] as string,
      textHash: text?.textHash,
      other: text === undefined ? undefined : known?.others.get(text.id),
    }
  }
  const places = [...records.keys()].filter((place) => storedId(place) === null)
  const read = readRecords(list, places.map(toRead))
  // an earlier page's failure may come first, and then nobody waits for this one
  read.catch(() => undefined)
  return {
    ...page,
    read,
    asOf: known?.asOf ?? null,
    storedId,
    isUnknown: (place) => known !== null && isUnknown(known, first + place),
    toRead,
  }
}
