import type { Day } from '../reconcile/day.ts'
import type { DecimalText } from '../reconcile/money.ts'

/**
 * What every parsed record carries. `raw` is the source text as it is safe to store; `contentHash` is the sha256 (hex) of
 * the record with sorted keys and numbers as written, so that it changes exactly when the partner changes something. A
 * line's is of its text as it came: whether a line that is spelled anew says the same is seen when it is compared.
 */
type Parsed = { raw: string; contentHash: string }

/** An invoice line with the extended details of the lines list (contract, "Invoice line object"). Null means unknown. */
export type LineRecord = Parsed & {
  /** The sha256 (hex) of `raw`. */
  textHash: string
  /** The partner's id, or `sha256:<hex>` over the unchanging fields when the key is missing (assumption 4). */
  id: string
  idWasMissing: boolean
  invoiceSerialNumber: string
  profileId: string | null
  profileName: string | null
  invoiceMode: string | null
  invoiceStatus: string | null
  issuingDate: Day | null
  dueDate: Day | null
  currency: string
  expenseDate: Day
  description: string
  quantity: DecimalText
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  /** Percent: `19.00` is 19 %. */
  taxPercentage: DecimalText
  taxAmount: DecimalText
  totalAmount: DecimalText
  taxRegime: string | null
  tripId: string | null
  tripName: string | null
  service: string | null
  relatedVertical: string | null
  costCenter: string | null
  startDate: Day | null
  endDate: Day | null
  creditCardLast4: string | null
  labels: string[]
  /** A property of the trip, as first booked; null when the partner does not say (an empty text is unknown). */
  outOfPolicy: boolean | null
  vendorCode: string | null
  vendorName: string | null
  travelerNames: string[]
  bookerName: string | null
  includeBreakfast: boolean | null
  /** Wire paths of optional fields whose shape could not be read; they count as unknown and stay in `raw`. */
  unreadablePaths: string[]
}

export type TaxSummary = {
  taxRegime: string | null
  subtotal: DecimalText | null
  taxPercentage: DecimalText | null
  taxAmount: DecimalText | null
  total: DecimalText | null
}

/** An invoice (assumption 10). `raw` holds "[not stored]" in place of the PDF address, and the hash leaves it out. */
export type InvoiceRecord = Parsed & {
  /** The sha256 (hex) of `raw`. */
  textHash: string
  serialNumber: string
  profileId: string | null
  profileName: string | null
  mode: string | null
  status: string | null
  issuingDate: Day | null
  dueDate: Day | null
  fromDate: Day | null
  toDate: Day | null
  billingPeriod: string | null
  currency: string
  total: DecimalText
  creditUsed: DecimalText | null
  taxesSummary: TaxSummary[]
  reference: string | null
  legalName: string | null
  unreadablePaths: string[]
}

/** A payment/invoice profile of the account (assumption 11). */
export type ProfileRecord = Parsed & {
  id: string
  name: string | null
  currency: string | null
  paymentMethodType: string | null
  billingPeriod: string | null
  legalName: string | null
  unreadablePaths: string[]
}

/**
 * A record that could not be read, in words for the page of rejected lines: why, at which wire path, with the id where one
 * could be made out. `raw` is the text that is safe to store.
 */
export type Rejection = { ok: false; reason: string; path: string; id: string | null; raw: string }
