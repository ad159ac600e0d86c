/**
 * The platform's records as the product knows them. Each field is named here once: the wire parser
 * fills it, the ledger stores and selects it, and lists, panels and files show it.
 */
import type { ConnectionId } from '#lib/ids.ts'
import type { Day } from './day.ts'
import type { LineNote } from './line-notes.ts'
import type { LineProof } from './line-proof.ts'
import type { DecimalText, Money } from './money.ts'
import type { Explanation } from './reason.ts'

/** Column types by their PostgreSQL names, and their types here: amounts and days stay text. */
type StoredTypes = {
  text: string
  uuid: ConnectionId
  date: Day
  numeric: DecimalText
  boolean: boolean
  'text[]': string[]
}

export type RecordField = {
  /** Its column in the ledger. */
  column: string
  type: keyof StoredTypes
  /** The platform may leave it out: then null, or an empty list. */
  isOptional?: true
  /** Separates the entries of a list in a file; `; ` by default. */
  separator?: ' '
  /** Its name for people, for a text that the record's panel shows as it is. */
  label?: string
}

/**
 * Where a field is shown: a list row, the record's page or panel, or the file. Each place includes
 * the ones before it.
 */
export type Place = 'row' | 'detail' | 'file'
export type ShownField = RecordField & { in: Place }

export type ValueOf<Field extends RecordField> =
  | StoredTypes[Field['type']]
  | (Field extends { isOptional: true } ? null : never)

/** A record's values by field name. */
type ValuesOf<Fields extends Record<string, RecordField>> = { [Name in keyof Fields]: ValueOf<Fields[Name]> }

/**
 * An invoice line with the extended details of the lines list (contract, "Invoice line object").
 */
export const LINE_FIELDS = {
  /** The partner's id, or `sha256:<hex>` over the unchanging fields if there is none. */
  id: { column: 'id', type: 'text', in: 'row' },
  invoiceSerialNumber: { column: 'invoice_serial_number', type: 'text', in: 'row' },
  profileId: { column: 'profile_id', type: 'text', isOptional: true, in: 'detail' },
  profileName: { column: 'profile_name', type: 'text', isOptional: true, in: 'row' },
  invoiceMode: { column: 'invoice_mode', type: 'text', isOptional: true, in: 'row' },
  invoiceStatus: { column: 'invoice_status', type: 'text', isOptional: true, in: 'row' },
  issuingDate: { column: 'issuing_date', type: 'date', isOptional: true, in: 'row' },
  dueDate: { column: 'due_date', type: 'date', isOptional: true, in: 'detail' },
  currency: { column: 'currency', type: 'text', in: 'row' },
  expenseDate: { column: 'expense_date', type: 'date', in: 'row' },
  description: { column: 'description', type: 'text', in: 'row' },
  quantity: { column: 'quantity', type: 'numeric', in: 'row' },
  unitPrice: { column: 'unit_price', type: 'numeric', in: 'detail' },
  nonTaxableUnitPrice: { column: 'non_taxable_unit_price', type: 'numeric', in: 'detail' },
  /** Percent: `19.00` is 19 %. */
  taxPercentage: { column: 'tax_percentage', type: 'numeric', in: 'detail' },
  taxAmount: { column: 'tax_amount', type: 'numeric', in: 'detail' },
  taxRegime: { column: 'tax_regime', type: 'text', isOptional: true, in: 'detail' },
  totalAmount: { column: 'total_amount', type: 'numeric', in: 'row' },
  tripId: { column: 'trip_id', type: 'text', isOptional: true, in: 'row' },
  tripName: { column: 'trip_name', type: 'text', isOptional: true, in: 'row' },
  service: { column: 'service', type: 'text', isOptional: true, in: 'row' },
  relatedVertical: { column: 'related_vertical', type: 'text', isOptional: true, in: 'row' },
  costCenter: { column: 'cost_center', type: 'text', isOptional: true, in: 'row' },
  startDate: { column: 'start_date', type: 'date', isOptional: true, in: 'detail' },
  endDate: { column: 'end_date', type: 'date', isOptional: true, in: 'detail' },
  creditCardLast4: { column: 'credit_card_last_4_digits', type: 'text', isOptional: true, in: 'detail' },
  labels: { column: 'labels', type: 'text[]', in: 'detail' },
  /** A property of the trip, as first booked. */
  outOfPolicy: { column: 'out_of_policy', type: 'boolean', isOptional: true, in: 'detail' },
  vendorCode: { column: 'vendor_code', type: 'text', isOptional: true, in: 'detail' },
  vendorName: { column: 'vendor_name', type: 'text', isOptional: true, in: 'row' },
  travelerNames: { column: 'traveler_names', type: 'text[]', in: 'detail' },
  bookerName: { column: 'booker_name', type: 'text', isOptional: true, in: 'detail', label: 'Booked by' },
  includeBreakfast: { column: 'include_breakfast', type: 'boolean', isOptional: true, in: 'detail' },
  /** Where the service takes place, at its end: ISO 3166, upper case. */
  country: { column: 'country_code', type: 'text', isOptional: true, in: 'detail' },
  /** Each as `Project: P-210`. Null: stored before lines kept them (`fillFields`). */
  customFields: { column: 'custom_fields', type: 'text[]', isOptional: true, in: 'detail' },
} as const satisfies Record<string, ShownField>

/** An invoice. The contract only names the list; the fields are those observed. */
export const INVOICE_FIELDS = {
  serialNumber: { column: 'serial_number', type: 'text', in: 'row' },
  profileId: { column: 'profile_id', type: 'text', isOptional: true, in: 'detail' },
  profileName: { column: 'profile_name', type: 'text', isOptional: true, in: 'row' },
  legalName: { column: 'legal_name', type: 'text', isOptional: true, in: 'detail' },
  mode: { column: 'mode', type: 'text', isOptional: true, in: 'row' },
  status: { column: 'status', type: 'text', isOptional: true, in: 'row' },
  issuingDate: { column: 'issuing_date', type: 'date', isOptional: true, in: 'row' },
  dueDate: { column: 'due_date', type: 'date', isOptional: true, in: 'row' },
  fromDate: { column: 'from_date', type: 'date', isOptional: true, in: 'detail' },
  toDate: { column: 'to_date', type: 'date', isOptional: true, in: 'detail' },
  billingPeriod: { column: 'billing_period', type: 'text', isOptional: true, in: 'detail' },
  currency: { column: 'currency', type: 'text', in: 'row' },
  /** As the invoice states it. */
  total: { column: 'total', type: 'numeric', in: 'row' },
  creditUsed: { column: 'credit_used', type: 'numeric', isOptional: true, in: 'row' },
  reference: { column: 'reference', type: 'text', isOptional: true, in: 'detail' },
} as const satisfies Record<string, ShownField>

/**
 * A payment/invoice profile of the account. The contract only names the list; the fields are those
 * observed.
 */
export const PROFILE_FIELDS = {
  id: { column: 'id', type: 'text' },
  name: { column: 'name', type: 'text', isOptional: true },
  legalName: { column: 'legal_name', type: 'text', isOptional: true },
  currency: { column: 'currency', type: 'text', isOptional: true },
  paymentMethodType: { column: 'payment_method_type', type: 'text', isOptional: true },
  billingPeriod: { column: 'billing_period', type: 'text', isOptional: true },
} as const satisfies Record<string, RecordField>

/**
 * What every parsed record carries. `raw` is the source text, safe to store, valid JSON.
 * `contentHash` is the SHA-256 (hex) of the record with sorted keys and numbers as written: it
 * changes exactly when the partner changes something. For a line it hashes the text as received; a
 * later comparison tells whether a rewritten line has the same content. `unreadablePaths` are wire
 * paths of optional fields with an unreadable shape: they count as unknown.
 */
type Parsed = { raw: string; contentHash: string; unreadablePaths: string[] }
/** The SHA-256 (hex) of `raw`. */
type Hashed = { textHash: string }

export type LineRecord = ValuesOf<typeof LINE_FIELDS> & Parsed & Hashed & { idWasMissing: boolean }

/** A line with its proof, the reasons of what fails in it, and its notes. */
export type ProvedLine = LineRecord & {
  proof: LineProof
  explanations: readonly Explanation[]
  notes: readonly LineNote[]
}

/** The taxes of one regime and rate, as the invoice itself sums them up. */
export type TaxSummary = {
  taxRegime: string | null
  subtotal: DecimalText | null
  taxPercentage: DecimalText | null
  taxAmount: DecimalText | null
  total: DecimalText | null
}

/** `raw` has "[not stored]" in place of the PDF's address, and the hash leaves it out. */
export type InvoiceRecord = ValuesOf<typeof INVOICE_FIELDS> & Parsed & Hashed & { taxesSummary: TaxSummary[] }

export type ProfileRecord = ValuesOf<typeof PROFILE_FIELDS> & Parsed

/**
 * An unreadable record, in words for people: why, at which wire path, and its id if one was found.
 * `raw` is the text, safe to store.
 */
export type Rejection = { raw: string; recordId: string | null; reason: string; path: string }

/**
 * A rejection as kept: with the invoice a line says it belongs to and the total it states, if these
 * were found.
 */
export type KeptRejection = Rejection & { invoiceSerialNumber: string | null; statedTotal: Money | null }
