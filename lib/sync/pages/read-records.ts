import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OtherText } from '#lib/ledger/apply/find-stored.ts'
import { createRecordFormatter, type FormattedRecords, type RecordFormatter } from '#lib/ledger/apply/format-records.ts'
import { INVOICES, PROFILES } from '#lib/ledger/apply/invoice-target.ts'
import { LINES } from '#lib/ledger/apply/line-target.ts'
import { isSameContent } from '#lib/reconcile/json/canonical-text.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import type { KeptRejection, LineRecord, ProfileRecord, ProvedLine } from '#lib/reconcile/records.ts'
import type { DriftSightings } from '../drift/interface-drift.ts'
import type { SyncList } from '../model.ts'
import { parseRecord, type RecordOf } from './parse-record.ts'

/**
 * A record as received. `textHash`: the SHA-256 (hex) of its text as stored, if known. `other`: the
 * other text the ledger holds under its id.
 */
export type RecordToRead = { raw: string; textHash?: string; other?: OtherText }

/**
 * Records that were read, proved and formatted for the database. `keys` has one 64-bit hash per
 * record; `rejections` has those that cannot be read, by their place. The readable ones follow each
 * other in `formatted`, and in `profiles` if they are profiles. `drift`: where records, unreadable
 * ones included, differ from the known interface. Nothing but data: it may come from another
 * thread.
 */
export type RecordsRead = {
  keys: bigint[]
  rejections: Map<number, KeptRejection>
  formatted: FormattedRecords
  profiles: ProfileRecord[]
  drift: DriftSightings
}

/** Reads records, here or in a thread of their own (lib/worker/record-thread.ts). */
export type ReadRecords = (list: SyncList, records: readonly RecordToRead[]) => Promise<RecordsRead>

const FORMATTERS: { [L in SyncList]: RecordFormatter<RecordOf[L]> } = {
  profiles: createRecordFormatter(PROFILES),
  invoices: createRecordFormatter(INVOICES),
  lines: proved(createRecordFormatter(LINES)),
}

/**
 * Reads records of a list, one by one. An unreadable record is set aside with its reason and does
 * not affect the others (F23).
 */
export function readRecordBatch(list: SyncList, records: readonly RecordToRead[]): RecordsRead {
  const formatter = FORMATTERS[list] as RecordFormatter<RecordOf[SyncList]>
  const keys: bigint[] = []
  const rejections: RecordsRead['rejections'] = new Map()
  const profiles: ProfileRecord[] = []
  const drift: DriftSightings = new Map()
  // what a batch that failed has left
  formatter.end()
  for (const [place, { raw, textHash, other }] of records.entries()) {
    const parsed = parseRecord(list, raw, drift, textHash)
    keys.push(parsed.key)
    if (!parsed.ok) {
      rejections.set(place, parsed.rejection)
      continue
    }
    const { record } = parsed
    // the platform may rewrite a record without changing it (key order, white space)
    if (other !== undefined && isSameContent(record.raw, other.raw)) record.contentHash = other.contentHash
    formatter.add(record)
    if (list === 'profiles') profiles.push(record as ProfileRecord)
  }
  return { keys, rejections, formatted: formatter.end(), profiles, drift }
}

/** Reads records in this thread, a batch per turn of its event loop. */
export const readRecordsHere: ReadRecords = async (list, records) => {
  await nextTurn()
  return readRecordBatch(list, records)
}

function proved(formatter: RecordFormatter<ProvedLine>): RecordFormatter<LineRecord> {
  return { add: (line) => formatter.add(toProvedLine(line)), end: formatter.end }
}

/** Mutates the record: copying 40 fields would cost half as much as proving it. */
function toProvedLine(line: LineRecord & Partial<ProvedLine>): ProvedLine {
  line.proof = proveLine(line)
  line.explanations = explainLine(line, line.proof)
  line.notes = listLineNotes(line)
  return line as ProvedLine
}
