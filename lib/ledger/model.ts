/**
 * What the ledger answers with. Types only: pages and components share them. Amounts are exact
 * text, counts are numbers.
 */
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { Completeness, Verdict } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { Finding } from '#lib/reconcile/line-proof.ts'
import type { DecimalText, Money } from '#lib/reconcile/money.ts'
import type { FieldChange } from '#lib/reconcile/record-diff.ts'
import type { TaxSummary } from '#lib/reconcile/records.ts'
import type { SyncList, SyncTrigger } from '#lib/reconcile/sync-run.ts'
import type { STORED_INVOICE_FIELDS } from './fields/invoice-fields.ts'
import type { STORED_LINE_FIELDS } from './fields/line-fields.ts'
import type { RowOf } from './fields/record-columns.ts'
import type { LINE_FILTERS } from './query/line-query.ts'
import type { ChosenFrom } from './query/list-query.ts'

/** One currency's figures of a set of lines. There is never a figure across currencies. */
export type CurrencyTotal = {
  currency: string
  /**
   * Different invoices that the lines belong to (of the invoices list and the overview: invoices).
   */
  invoiceCount: number
  lineCount: number
  /** Sum of the stated totals, exact. */
  totalAmount: DecimalText
  /** Findings, not lines: a line can have two. */
  findingCount: number
}

/** Null means that the partner does not say. */
export type LineRow = RowOf<typeof STORED_LINE_FIELDS, 'row'>

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

export type LineDetail = RowOf<typeof STORED_LINE_FIELDS, 'row' | 'detail'> & {
  findings: Finding[]
  /** The record byte for byte as the partner sent it. */
  rawText: string
  connectionName: string | null
  /** ISO 8601, UTC. */
  firstSeenAt: string
  /** ISO 8601, UTC. When the platform's record last changed. */
  changedAt: string
  /** What the platform changed about it, latest first. */
  history: RecordChange[]
}

export type GroupTotal = { currency: string; totalAmount: DecimalText; lineCount: number }

export type GroupRow = {
  /**
   * One entry, of this level. A null value is the group of lines that do not say; `label` is a
   * trip's latest name.
   */
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

export type InvoiceRow = RowOf<typeof STORED_INVOICE_FIELDS, 'row'> & {
  lineCount: number
  /** Sum of its lines in the invoice's currency; null when no line is there. */
  lineTotal: DecimalText | null
  findingCount: number
  /** Whether what is held of it equals what it says itself. */
  check: InvoiceCheck
}

/** The proof of completeness in short. */
export type InvoiceCheck = {
  verdict: Verdict
  /** Stated total - held lines. */
  difference: DecimalText
  /** Lines that the invoice says it has, beyond those held. */
  linesMissing: number
  rejectedLineCount: number
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

export type InvoiceDetail = InvoiceRow &
  RowOf<typeof STORED_INVOICE_FIELDS, 'detail'> & {
    /**
     * What the platform changed about the invoice itself, latest first; its lines have histories of
     * their own.
     */
    history: RecordChange[]
    completeness: Completeness
    taxesSummary: TaxSummary[]
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
  findingsByCode: FindingTotal[]
  rejectedCount: number
  invoiceCount: number
  lineCount: number
  months: MonthTotal[]
}

/** A record that could not be read; `raw` is its text. */
export type RejectedLine = {
  connectionId: ConnectionId
  connectionName: string | null
  list: SyncList
  rawHash: string
  raw: string
  recordId: string | null
  invoiceSerialNumber: string | null
  reason: string
  path: string
  firstSeenAt: string
  lastSeenAt: string
}

/** A value that is stored, and its name where it is an id. Null: some records do not say. */
type FilterOption = { value: string | null; name?: string | null }

/** What the filters can be set to: what is there. */
export type FilterOptions = Record<
  ChosenFrom<typeof LINE_FILTERS, 'stored' | 'frequent' | 'connections'>,
  FilterOption[]
>

export type TripOption = { tripId: string; tripName: string | null }

export type NavigationCounts = { invoices: number; lines: number }

/** One change of a record on the platform, as a run saw it. Moments are ISO 8601 in UTC. */
export type RecordChange = {
  /** Since when the version before the change was known. */
  validFrom: string
  seenAt: string
  /** The run that saw it; null when none is known. */
  runId: RunId | null
  /** Why that run was started. */
  trigger: SyncTrigger | null
  fields: FieldChange[]
  before: Money
  after: Money
  /**
   * The difference of the totals; null when the currency changed, because nothing is subtracted
   * across currencies.
   */
  effect: { currency: string; difference: DecimalText } | null
}

/** A changed line in the list of changes. */
export type LineChange = RecordChange & {
  lineId: string
  description: string
  expenseDate: Day
  /** Only fields changed that every line repeats from its invoice, such as the status. */
  isInherited: boolean
  /** The expense lay so far back that no look-back window would have met it. */
  isLate: boolean
}

/** What one run saw change of one invoice and its lines. */
export type InvoiceChanges = {
  connectionId: ConnectionId
  connectionName: string | null
  serialNumber: string
  profileName: string | null
  runId: RunId | null
  trigger: SyncTrigger | null
  seenAt: string
  /** The invoice's own changes; more than one when it changed twice in the run. */
  invoice: RecordChange[]
  /** Lines with the largest money effect first. */
  lines: LineChange[]
  /** All changed lines, also those that are not in `lines`. */
  lineCount: number
}

/** What changes since a day come to in one currency. */
export type ChangeTotal = {
  currency: string
  /** Changed lines; a line that changed twice counts once. */
  lineCount: number
  /** Sum of the differences of the lines' totals. */
  lineEffect: DecimalText
  invoiceCount: number
  /** Sum of the differences of the invoices' totals. */
  invoiceEffect: DecimalText
}

export type ChangeList = {
  groups: InvoiceChanges[]
  groupCount: number
  totals: ChangeTotal[]
  /**
   * Lines and invoices that came for the first time, and lines that are no longer on the platform.
   */
  arrived: { lines: number; invoices: number }
  goneLines: number
  page: number
  pageCount: number
}

/** `ChangeList` without the changes themselves, since a day. */
export type ChangeSummary = Omit<ChangeList, 'groups' | 'page' | 'pageCount'> & { since: Day }

/**
 * What can be said of a month. `verified`: everything was read, and every invoice equals its own
 * figures. `held`: so far as it was read. `behind`: an invoice lacks lines or differs. `unread`:
 * not read completely yet. `empty`: read, and there is nothing. `before`: read, and older than the
 * profile's first invoice.
 */
export type CoverageState = 'verified' | 'held' | 'behind' | 'unread' | 'empty' | 'before'

/** One month of one profile, by the invoices' days of issue. */
export type CoverageCell = {
  /** YYYY-MM. */
  month: string
  state: CoverageState
  invoiceCount: number
  lineCount: number
  rejectedLineCount: number
  /** Lines that invoices say they have, beyond those held. */
  linesMissing: number
  /** Invoices that lack lines or differ. */
  behindCount: number
  /** Invoices whose difference is explained. */
  explainedCount: number
  /** Invoices that are no longer on the platform. */
  goneCount: number
  /** When the month was last read completely; ISO 8601, UTC. */
  verifiedAt: string | null
}

export type CoverageProfile = {
  /** Null: invoices that name no profile. */
  id: string | null
  name: string | null
  currency: string | null
  /** One per month, oldest first. */
  cells: CoverageCell[]
}

export type Coverage = {
  connectionId: ConnectionId
  months: string[]
  profiles: CoverageProfile[]
  /**
   * What the platform last said the whole lists hold, and what is held of them; null when it has
   * not been asked.
   */
  lists: { list: 'invoices' | 'lines'; reported: number | null; held: number; rejected: number }[]
  /** Invoices without a day of issue: in no month. */
  undatedInvoices: number
}

/** A connection's last months in one row. */
export type CompactCoverage = { connectionId: ConnectionId; cells: CoverageCell[] }
