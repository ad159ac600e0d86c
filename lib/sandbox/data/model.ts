import type { Fixed } from './decimal.ts'
import type { JsonObject } from './wire/json.ts'

/**
 * A line as stored: the wire object without the parent's fields, the name of its planted fault, if
 * any, and what was planted that no proof of the line alone can see.
 */
export type StoredLine = { wire: JsonObject; plant?: string; note?: 'refund_without_original' }

/** How `lines` appears inside an invoice object: all three were seen on the wire. */
export type LinesShape = 'absent' | 'paged' | 'flat'

/**
 * An invoice as stored. `header` has every wire field except the derived total, taxes_summary, pdf
 * and lines.
 */
export type StoredInvoice = {
  serialNumber: string
  header: JsonObject
  lines: StoredLine[]
  linesShape: LinesShape
  planted?: PlantedTotal
}

/**
 * What an invoice's total has more, on purpose, than its lines less the credit used. `reason` is
 * null where nothing on the invoice explains it.
 */
export type PlantedTotal = { plant: string; amount: string; reason: 'credit_not_deducted' | null }

export type Profile = {
  id: string
  name: string
  currency: string
  billingPeriod: string
  paymentMethodType: string
  billingInformation: JsonObject
}

/** The filters of the list endpoints' query; absent members do not filter. Days are YYYY-MM-DD. */
export type ListFilter = {
  profileId?: string
  serialNumber?: string
  serialNumberContains?: string
  billingPeriod?: string
  status?: string
  issuingDateFrom?: string
  issuingDateTo?: string
  dueDateFrom?: string
  dueDateTo?: string
  expenseDateFrom?: string
  expenseDateTo?: string
}

/**
 * What the control totals need of a line; `rejected` names the field that no careful reader can
 * parse.
 */
export type LineFact = {
  currency: string
  totalUnits: bigint
  totalScale: number
  tripId: string | null
  costCenter: string | null
  vertical: string | null
  codes: readonly FindingCode[]
  rejected: string | null
}

/** What the control tie-outs need of an invoice; `issuingDate` is null where it has none. */
export type InvoiceFact = {
  currency: string
  issuingDate: string | null
  /** The lines that a careful reader can parse. */
  lines: Fixed
  /** What the others state as their totals, where that can be parsed. */
  notImported: Fixed
  creditUsed: Fixed
  total: Fixed
  planted: PlantedTotal | null
}

export type FindingCode = 'total' | 'tax'

type GroundTruthFinding = {
  accountId: string
  account: string
  /** The wire id; null for a line without one. */
  lineId: string | null
  invoiceSerialNumber: string
  currency: string
  /** Name of the planted fault; null when a test changed the line by hand. */
  plant: string | null
  codes: FindingCode[]
  expectedTotal: string
  statedTotal: string
  /** Stated minus expected; "0.00" when only the tax is wrong. */
  difference: string
  expectedTax: string
  statedTax: string
  taxDifference: string
}

type GroundTruthNote = {
  accountId: string
  account: string
  code: 'credit_sign' | 'no_id' | 'refund_without_original'
  invoiceSerialNumber: string
  description: string
}

type GroundTruthRejection = {
  accountId: string
  account: string
  lineId: string | null
  invoiceSerialNumber: string
  field: string
  text: string
}

/** An invoice whose total is not what its lines and its credit come to. */
type GroundTruthInvoice = {
  accountId: string
  account: string
  invoiceSerialNumber: string
  currency: string
} & PlantedTotal

export type GroundTruth = {
  findings: GroundTruthFinding[]
  notes: GroundTruthNote[]
  rejected: GroundTruthRejection[]
  invoices: GroundTruthInvoice[]
}

/** An ordered run of invoices that can be counted and read in parts, without holding all of it. */
export type Segment = {
  countInvoices(filter: ListFilter): number
  readInvoices(filter: ListFilter, offset: number, limit: number): StoredInvoice[]
  countLines(filter: ListFilter): number
  /** Lines with the parent's extended fields, ready for the wire. */
  readLines(filter: ListFilter, offset: number, limit: number): JsonObject[]
  findInvoice(serialNumber: string): StoredInvoice | null
  facts(): Iterable<LineFact>
  invoiceFacts(): Iterable<InvoiceFact>
  groundTruth(account: { id: string; name: string }): GroundTruth
}
