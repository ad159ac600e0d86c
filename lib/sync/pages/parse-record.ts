import { readStatedTotal } from '#lib/partner/wire/stated-total.ts'
import { parseInvoice } from '#lib/partner/wire/wire-invoice.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { parseProfile } from '#lib/partner/wire/wire-profile.ts'
import { type Rejected, reject } from '#lib/partner/wire/wire-record.ts'
import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import type { JsonValue } from '#lib/reconcile/json/value.ts'
import type { InvoiceRecord, KeptRejection, LineRecord, ProfileRecord } from '#lib/reconcile/records.ts'
import { type DriftSightings, observeRecord } from '../drift/interface-drift.ts'
import type { SyncList } from '../model.ts'
import { toRecordKey, toRejectedKey } from './record-key.ts'

export type RecordOf = { profiles: ProfileRecord; invoices: InvoiceRecord; lines: LineRecord }

/** A record, or why it cannot be read. `key` is its 64-bit hash in the page ledger. */
export type ParsedRecord<T> = { key: bigint } & ({ ok: true; record: T } | { ok: false; rejection: KeptRejection })

type Reading<T> = { ok: true; id: string; record: T; value: JsonValue } | Rejected
const READERS: { [L in SyncList]: (raw: string, textHash?: string) => Reading<RecordOf[L]> } = {
  profiles: (raw) => {
    const read = parseProfile(raw)
    return read.ok ? { ok: true, id: read.profile.id, record: read.profile, value: read.value } : read
  },
  invoices: (raw, textHash) => {
    const read = parseInvoice(raw, textHash)
    return read.ok ? { ok: true, id: read.invoice.serialNumber, record: read.invoice, value: read.value } : read
  },
  lines: (raw, textHash) => {
    const read = parseLine(raw, textHash)
    return read.ok ? { ok: true, id: read.line.id, record: read.line, value: read.value } : read
  },
}

/**
 * Parses a record, or says why it cannot be read (F23). Adds deviations from the known interface to
 * `drift`, also for an unreadable record: what makes it unreadable may be the deviation.
 * `textHash`: the SHA-256 of the text as stored, if known.
 */
export function parseRecord<L extends SyncList>(
  list: L,
  raw: string,
  drift: DriftSightings,
  textHash?: string,
): ParsedRecord<RecordOf[L]> {
  const read = READERS[list](raw, textHash)
  const value = read.ok ? read.value : parseOrNull(read.raw)
  observeRecord(list, value, drift)
  if (read.ok) return { ok: true, key: toRecordKey(read.id), record: read.record }
  const { ok, ...rejection } = read
  const invoiceSerialNumber = findInvoiceSerialNumber(raw)
  const statedTotal = readStatedTotal(list, value)
  return { ok, key: toRejectedKey(read.raw), rejection: { ...rejection, invoiceSerialNumber, statedTotal } }
}

/**
 * Why the second of two records is set aside. People read it, and reading again does not change it.
 */
export const SAME_ID = {
  lines: 'Another line has the same id, and other content',
  invoices: 'Another invoice has the same number, and other content',
}

/**
 * A readable record beside another one of the same id and other content: set aside with its money.
 * It names no record: what was read of the id is the other's.
 */
export function rejectSameId(list: keyof typeof SAME_ID, raw: string): { key: bigint; rejection: KeptRejection } {
  const value = parseOrNull(raw)
  const [path, serial] = list === 'lines' ? ['id', findInvoiceSerialNumber(raw)] : ['serial_number', findNumber(raw)]
  const { ok, ...rejection } = reject(raw, SAME_ID[list], path, null)
  return {
    key: toRejectedKey(rejection.raw),
    rejection: { ...rejection, invoiceSerialNumber: serial, statedTotal: readStatedTotal(list, value) },
  }
}

/** The number of an invoice that has one. */
function findNumber(raw: string): string | null {
  return /"serial_number"\s*:\s*"([\w-]{1,64})"/.exec(raw)?.[1] ?? null
}

/** The invoice a rejected line says it belongs to, for display; null if it cannot be found. */
function findInvoiceSerialNumber(raw: string): string | null {
  return /"invoice_serial_number"\s*:\s*"([\w-]{1,64})"/.exec(raw)?.[1] ?? null
}
