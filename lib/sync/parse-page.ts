import type { RejectionToKeep } from '../ledger/records-to-apply.ts'
import { type JsonValue, parseLossless } from '../partner/json-text.ts'
import { PartnerBodyError } from '../partner/partner-error.ts'
import type { InvoiceRecord, LineRecord, ProfileRecord, Rejection } from '../partner/records.ts'
import { parseInvoice } from '../partner/wire-invoice.ts'
import { parseLine } from '../partner/wire-line.ts'
import { parseProfile } from '../partner/wire-profile.ts'
import { type DriftSightings, observeRecord } from './interface-drift.ts'
import type { SyncList } from './model.ts'
import { toRecordKey, toRejectedKey } from './record-key.ts'
import type { Walk } from './walk.ts'

/**
 * A page's records, each id once (a later one on the page wins). `fresh` are new to this run, `repeated` were on an earlier
 * page of it; `doubled` counts records that the page itself repeats. `keys` has one 64-bit hash per record of the page.
 */
export type ParsedPage<T> = {
  keys: string[]
  fresh: T[]
  repeated: T[]
  rejectedFresh: RejectionToKeep[]
  rejectedRepeated: RejectionToKeep[]
  doubled: number
  /** Where records differ from the known interface, also those that cannot be read. */
  drift: DriftSightings
}

export type RecordOf = { profiles: ProfileRecord; invoices: InvoiceRecord; lines: LineRecord }

type Reading<T> = { ok: true; id: string; record: T; value: JsonValue } | Rejection
const READERS: { [L in SyncList]: (raw: string) => Reading<RecordOf[L]> } = {
  profiles: (raw) => {
    const read = parseProfile(raw)
    return read.ok ? { ok: true, id: read.profile.id, record: read.profile, value: read.value } : read
  },
  invoices: (raw) => {
    const read = parseInvoice(raw)
    return read.ok ? { ok: true, id: read.invoice.serialNumber, record: read.invoice, value: read.value } : read
  },
  lines: (raw) => {
    const read = parseLine(raw)
    return read.ok ? { ok: true, id: read.line.id, record: read.line, value: read.value } : read
  },
}

/** Parses a page record by record: what cannot be read is set aside with its reason and does not touch the others (F23). */
export function parsePage<L extends SyncList>(list: L, records: string[], walk: Walk): ParsedPage<RecordOf[L]> {
  const keys: string[] = []
  const good = new Map<string, RecordOf[L]>()
  const bad = new Map<string, RejectionToKeep>()
  const drift: DriftSightings = new Map()
  for (const raw of records) {
    const read = READERS[list](raw)
    observeRecord(list, read.ok ? read.value : readAnyway(read.raw), drift)
    if (read.ok) {
      const key = toRecordKey(read.id)
      keys.push(key)
      good.set(key, read.record)
    } else {
      const key = toRejectedKey(read.raw)
      keys.push(key)
      const { id: recordId, reason, path } = read
      bad.set(key, { raw: read.raw, recordId, reason, path, invoiceSerialNumber: findInvoiceSerialNumber(raw) })
    }
  }
  const [fresh, repeated] = partition(good, walk)
  const [rejectedFresh, rejectedRepeated] = partition(bad, walk)
  return {
    keys,
    fresh,
    repeated,
    rejectedFresh,
    rejectedRepeated,
    doubled: records.length - good.size - bad.size,
    drift,
  }
}

function partition<T>(byKey: Map<string, T>, walk: Walk): [fresh: T[], repeated: T[]] {
  const fresh: T[] = []
  const repeated: T[] = []
  for (const [key, record] of byKey) (walk.isKnown(key) ? repeated : fresh).push(record)
  return [fresh, repeated]
}

/** A rejected record as it can be parsed: what rejected it may be what the interface changed. Null when it is no JSON. */
function readAnyway(raw: string): JsonValue {
  try {
    return parseLossless(raw)
  } catch (thrown) {
    if (!(thrown instanceof PartnerBodyError)) throw thrown
    return null
  }
}

/** Which invoice a rejected line says it belongs to, for the page that lists it; null when that cannot be made out. */
function findInvoiceSerialNumber(raw: string): string | null {
  return /"invoice_serial_number"\s*:\s*"([\w-]{1,64})"/.exec(raw)?.[1] ?? null
}
