/** What the ledger answers with. Types only: pages and components share them. Amounts are exact text, counts are numbers. */
import type { Day } from '../reconcile/day.ts'
import type { GroupKey } from '../reconcile/group-keys.ts'
import type { Finding } from '../reconcile/line-proof.ts'
import type { DecimalText } from '../reconcile/money.ts'

/** One currency's figures of a set of lines. There is never a figure across currencies. */
export type CurrencyTotal = {
  currency: string
  /** Different invoices that the lines belong to (of the invoices list and the overview: invoices). */
  invoiceCount: number
  lineCount: number
  /** Sum of the stated totals, exact. */
  totalAmount: DecimalText
  /** Findings, not lines: a line can have two. */
  findingCount: number
}

/** Null means that the partner does not say. */
export type LineRow = {
  connectionId: string
  id: string
  expenseDate: Day
  issuingDate: Day | null
  description: string
  tripId: string | null
  tripName: string | null
  costCenter: string | null
  relatedVertical: string | null
  service: string | null
  quantity: DecimalText
  totalAmount: DecimalText
  currency: string
  invoiceSerialNumber: string
  invoiceStatus: string | null
  invoiceMode: string | null
  profileName: string | null
  vendorName: string | null
  findingCodes: string[]
  noteCodes: string[]
  /** Stated - expected, also when it is zero. */
  difference: DecimalText
  taxDifference: DecimalText
}

export type LineList = {
  rows: LineRow[]
  /** Lines that the filters leave. */
  lineCount: number
  /** All lines of the organization. */
  allLineCount: number
  /** Of the filtered lines, one per currency, by currency code. */
  totals: CurrencyTotal[]
  page: number
  /** At least 1. */
  pageCount: number
}

export type LineDetail = LineRow & {
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  taxPercentage: DecimalText
  taxAmount: DecimalText
  taxRegime: string | null
  dueDate: Day | null
  profileId: string | null
  startDate: Day | null
  endDate: Day | null
  creditCardLast4: string | null
  labels: string[]
  outOfPolicy: boolean | null
  vendorCode: string | null
  travelerNames: string[]
  bookerName: string | null
  includeBreakfast: boolean | null
  expectedTotal: DecimalText
  expectedTax: DecimalText
  findings: Finding[]
  /** The record byte for byte as the partner sent it. */
  rawText: string
  connectionName: string | null
  /** ISO 8601, UTC. */
  firstSeenAt: string
  /** ISO 8601, UTC. */
  changedAt: string
}

export type GroupTotal = { currency: string; totalAmount: DecimalText; lineCount: number }

export type GroupRow = {
  /** One entry, of this level. A null value is the group of lines that do not say; `label` is a trip's latest name. */
  values: { key: GroupKey; value: string | null; label: string | null }[]
  lineCount: number
  findingCount: number
  /** By currency code. */
  totals: GroupTotal[]
  hasFailure: boolean
}

export type GroupList = {
  rows: GroupRow[]
  groupCount: number
  lineCount: number
  allLineCount: number
  totals: CurrencyTotal[]
  page: number
  pageCount: number
}

export type InvoiceRow = {
  connectionId: string
  serialNumber: string
  profileName: string | null
  mode: string | null
  status: string | null
  issuingDate: Day | null
  dueDate: Day | null
  currency: string
  /** As the invoice states it. */
  total: DecimalText
  creditUsed: DecimalText | null
  lineCount: number
  /** Sum of its lines in the invoice's currency; null when no line is there. */
  lineTotal: DecimalText | null
  findingCount: number
}

export type InvoiceList = {
  rows: InvoiceRow[]
  invoiceCount: number
  allInvoiceCount: number
  /** `totalAmount` is the sum of the invoices' stated totals. */
  totals: CurrencyTotal[]
  page: number
  pageCount: number
}

export type TaxSummaryRow = {
  taxRegime: string | null
  subtotal: DecimalText | null
  taxPercentage: DecimalText | null
  taxAmount: DecimalText | null
  total: DecimalText | null
}

export type InvoiceDetail = InvoiceRow & {
  profileId: string | null
  legalName: string | null
  billingPeriod: string | null
  fromDate: Day | null
  toDate: Day | null
  reference: string | null
  taxesSummary: TaxSummaryRow[]
  rawText: string
  connectionName: string | null
  firstSeenAt: string
  changedAt: string
}

export type FindingTotal = {
  code: string
  currency: string
  lineCount: number
  findingCount: number
  /** Money at stake: the sum of the differences without their signs. */
  difference: DecimalText
}

export type MonthTotal = {
  /** YYYY-MM of the expense date. */
  month: string
  currency: string
  relatedVertical: string | null
  totalAmount: DecimalText
}

export type Overview = {
  currencies: CurrencyTotal[]
  connections: { id: string; name: string | null; state: string; lastGoodSyncAt: string | null }[]
  findingsByCode: FindingTotal[]
  rejectedCount: number
  invoiceCount: number
  lineCount: number
  months: MonthTotal[]
}

/** A record that could not be read; `raw` is its text. */
export type RejectedLine = {
  connectionId: string
  connectionName: string | null
  list: 'profiles' | 'invoices' | 'lines'
  rawHash: string
  raw: string
  recordId: string | null
  invoiceSerialNumber: string | null
  reason: string
  path: string
  firstSeenAt: string
  lastSeenAt: string
}

/** What the filters can be set to: what is there. Null = some lines do not say. */
export type FilterOptions = {
  connections: { id: string; name: string | null }[]
  currencies: string[]
  verticals: (string | null)[]
  services: (string | null)[]
  statuses: (string | null)[]
  modes: (string | null)[]
  profiles: { id: string; name: string | null }[]
  /** The 200 with the most lines. */
  costCenters: (string | null)[]
}

export type TripOption = { tripId: string; tripName: string | null }

export type NavigationCounts = { invoices: number; lines: number; connectionsNeedingAttention: number }
