/** What the ledger takes in. Shapes only: the parsed records of the partner layer fit them. Null means unknown. */
import type { Day } from '../reconcile/day.ts'
import type { LineProof } from '../reconcile/line-proof.ts'
import type { DecimalText } from '../reconcile/money.ts'
import type { TaxSummaryRow } from './model.ts'

/** `raw` is the record byte for byte (valid JSON); `contentHash` differs from the stored one when the partner changed something. */
type Applied = { raw: string; contentHash: string }
/** The SHA-256 (hex) of `raw`, where it is known already. */
type Hashed = { textHash?: string }

export type LineToApply = Applied &
  Hashed & {
    id: string
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
    labels: readonly string[]
    outOfPolicy: boolean | null
    vendorCode: string | null
    vendorName: string | null
    travelerNames: readonly string[]
    bookerName: string | null
    includeBreakfast: boolean | null
  }

/** A line with its proof and its quiet remarks. */
export type ProvedLine = LineToApply & { proof: LineProof; notes: readonly string[] }

export type InvoiceToApply = Applied &
  Hashed & {
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
    taxesSummary: readonly TaxSummaryRow[]
    reference: string | null
    legalName: string | null
  }

export type ProfileToApply = Applied & {
  id: string
  name: string | null
  currency: string | null
  paymentMethodType: string | null
  billingPeriod: string | null
  legalName: string | null
}

/** A record that could not be read: why (for people), at which path of it, and what could be made out. */
export type RejectionToKeep = {
  raw: string
  recordId: string | null
  invoiceSerialNumber: string | null
  reason: string
  path: string
}
