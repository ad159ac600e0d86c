import * as z from 'zod'
import { hashText } from '#lib/hash-text.ts'
import { isJsonObject, type JsonObject } from '#lib/reconcile/json/value.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { hashContent } from './hash-content.ts'
import { type Rejected, readRecord, reject, toObjectPath } from './wire-record.ts'
import {
  countryOf,
  fieldList,
  nameList,
  optionalBoolean,
  optionalDay,
  optionalKey,
  optionalObject,
  optionalText,
  requiredCurrency,
  requiredDay,
  requiredDecimal,
  requiredId,
  textList,
} from './wire-values.ts'

/**
 * An entry of the lists' index has 2,704 bytes at most and carries each of these texts, beside
 * days, amounts and the account.
 */
const MAX_KEYS_BYTES = 2000

/**
 * The line on the wire (contract, "Invoice line object", "metadata object", "Extended invoice line
 * details").
 */
export const wireLine = z.object({
  id: requiredId.optional(),
  invoice_serial_number: requiredId,
  profile_id: optionalKey,
  profile_name: optionalText,
  invoice_mode: optionalKey,
  invoice_status: optionalKey,
  issuing_date: optionalDay,
  due_date: optionalDay,
  currency: requiredCurrency,
  expense_date: requiredDay,
  description: optionalText,
  quantity: requiredDecimal,
  unit_price: requiredDecimal,
  non_taxable_unit_price: requiredDecimal,
  tax_percentage: requiredDecimal,
  tax_amount: requiredDecimal,
  tax_regime: optionalKey,
  total_amount: requiredDecimal,
  metadata: optionalObject({
    trip_id: optionalKey,
    trip_name: optionalText,
    service: optionalKey,
    related_vertical: optionalKey,
    cost_center: optionalKey,
    start_date: optionalDay,
    end_date: optionalDay,
    credit_card_last_4_digits: optionalText,
    labels: textList,
    out_of_policy: optionalBoolean,
    include_breakfast: optionalBoolean,
    travelers: nameList,
    service_location: countryOf,
    custom_fields: fieldList,
    vendor: optionalObject({ code: optionalText, name: optionalText }),
    booker: optionalObject({ name: optionalText }),
  }),
})

const OBJECT_PATHS = ['metadata', 'metadata.vendor', 'metadata.booker'].map(toObjectPath)

/**
 * Reads one invoice line from its source text, keeping every digit. Never throws: an unreadable
 * line becomes a rejection with its reason. Unknown keys and unknown values of open sets
 * (assumptions 15 and 16) are fine. Everything stays in `raw`, including what is not read of people
 * and vendors (assumption 20). `textHash`: the SHA-256 (hex) of `raw`, if known.
 */
export function parseLine(
  raw: string,
  textHash: string = hashText(raw),
): { ok: true; line: LineRecord; value: JsonObject } | Rejected {
  const read = readRecord(raw, wireLine, 'id', OBJECT_PATHS)
  if (!read.ok) return read
  const { value, wire, unreadablePaths } = read
  const { metadata } = wire
  const line: LineRecord = {
    id: wire.id ?? deriveLineId(value),
    idWasMissing: wire.id === undefined,
    invoiceSerialNumber: wire.invoice_serial_number,
    profileId: wire.profile_id,
    profileName: wire.profile_name,
    invoiceMode: wire.invoice_mode,
    invoiceStatus: wire.invoice_status,
    issuingDate: wire.issuing_date,
    dueDate: wire.due_date,
    currency: wire.currency,
    expenseDate: wire.expense_date,
    description: wire.description ?? '',
    quantity: wire.quantity,
    unitPrice: wire.unit_price,
    nonTaxableUnitPrice: wire.non_taxable_unit_price,
    taxPercentage: wire.tax_percentage,
    taxAmount: wire.tax_amount,
    totalAmount: wire.total_amount,
    taxRegime: wire.tax_regime,
    tripId: metadata.trip_id,
    tripName: metadata.trip_name,
    service: metadata.service,
    relatedVertical: metadata.related_vertical,
    costCenter: metadata.cost_center,
    startDate: metadata.start_date,
    endDate: metadata.end_date,
    creditCardLast4: metadata.credit_card_last_4_digits,
    labels: metadata.labels ?? [],
    outOfPolicy: metadata.out_of_policy,
    vendorCode: metadata.vendor.code,
    vendorName: metadata.vendor.name,
    travelerNames: metadata.travelers ?? [],
    bookerName: metadata.booker.name,
    includeBreakfast: metadata.include_breakfast,
    country: metadata.service_location,
    customFields: metadata.custom_fields,
    unreadablePaths,
    raw,
    contentHash: textHash,
    textHash,
  }
  const overlong = findOverlongKey(line)
  if (overlong === null) return { ok: true, line, value }
  const reason = `${overlong} is too long: the keys of the line have more than ${MAX_KEYS_BYTES} bytes together`
  return reject(raw, reason, overlong, wire.id ?? null)
}

/**
 * The path of the longest key when a line's keys are too long together, else null. Not a rule of
 * the schema: with one of its own, an object of zod's takes half as long again to read.
 */
function findOverlongKey(line: LineRecord): string | null {
  const keys = {
    id: line.id,
    invoice_serial_number: line.invoiceSerialNumber,
    profile_id: line.profileId ?? '',
    invoice_mode: line.invoiceMode ?? '',
    invoice_status: line.invoiceStatus ?? '',
    tax_regime: line.taxRegime ?? '',
    'metadata.trip_id': line.tripId ?? '',
    'metadata.service': line.service ?? '',
    'metadata.related_vertical': line.relatedVertical ?? '',
    'metadata.cost_center': line.costCenter ?? '',
  }
  const texts = Object.values(keys)
  // a character has three bytes at most for its length here: most lines need no closer look
  if (texts.reduce((sum, text) => sum + text.length, 0) * 3 <= MAX_KEYS_BYTES) return null
  const sizes = Object.entries(keys).map(([path, text]) => ({ path, bytes: Buffer.byteLength(text) }))
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_KEYS_BYTES) return null
  return sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a)).path
}

/** What does not change once a line is issued; statuses, due dates, labels and cost centers do. */
const LASTING_FIELDS = [
  'invoice_serial_number',
  'expense_date',
  'description',
  'quantity',
  'unit_price',
  'non_taxable_unit_price',
  'tax_percentage',
  'tax_amount',
  'tax_regime',
  'total_amount',
]
const LASTING_METADATA = ['trip_id', 'service', 'related_vertical', 'start_date', 'end_date', 'travelers', 'vendor']

/** An id for a line without one, the same each time the line is read (assumption 4). */
function deriveLineId(line: JsonObject): string {
  const metadata = isJsonObject(line.metadata) ? line.metadata : {}
  const lasting = [
    ...LASTING_FIELDS.map((key) => line[key] ?? null),
    ...LASTING_METADATA.map((key) => metadata[key] ?? null),
  ]
  return `sha256:${hashContent(lasting)}`
}
