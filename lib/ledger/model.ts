/**
 * The ledger's answers: types only, shared with pages and components. Amounts are exact text,
 * counts are numbers.
 */
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { Bridge } from '#lib/reconcile/bridge.ts'
import type { Habits } from '#lib/reconcile/checks/judge.ts'
import type { Completeness, Verdict } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type {
  InvoiceFinding,
  InvoiceFindingCode,
  LineComparisonCode,
  TieOutReason,
} from '#lib/reconcile/invoice-finding.ts'
import type { Finding } from '#lib/reconcile/line-proof.ts'
import type { DecimalText, Money } from '#lib/reconcile/money.ts'
import type { PayloadWords } from '#lib/reconcile/payload/payload-words.ts'
import type { FieldChange } from '#lib/reconcile/record-diff.ts'
import type { TaxSummary } from '#lib/reconcile/records.ts'
import type { SyncList, SyncTrigger } from '#lib/reconcile/sync-run.ts'
import type { InvoiceTieOut } from '#lib/reconcile/tie-out.ts'
import type { LineState, State, StateCounts } from '#lib/reconcile/verdict.ts'
import type { STORED_INVOICE_FIELDS } from './fields/invoice-fields.ts'
import type { STORED_LINE_FIELDS } from './fields/line-fields.ts'
import type { RowOf } from './fields/record-columns.ts'
import type { LINE_FILTERS } from './query/line-query.ts'
import type { ChosenFrom } from './query/list-query.ts'

/** One currency's figures for a set of lines. No figure ever spans currencies. */
export type LineTotal = {
  currency: string
  lineCount: number
  /** Sum of the stated totals, exact. */
  totalAmount: DecimalText
  /** Findings, not lines: a line can have two. */
  findingCount: number
  /** Lines with findings, each once, by their states. */
  lineStates: StateCounts
}

/** One currency's figures for a set of invoices and their lines. */
export type CurrencyTotal = LineTotal & { invoiceCount: number }

/**
 * Null means that the partner does not say. What only some columns show is there when the list has
 * them. `removedOn`: the day on which the platform no longer had it, in a list of such lines.
 */
export type LineRow = RowOf<typeof STORED_LINE_FIELDS, 'row'> &
  Partial<RowOf<typeof STORED_LINE_FIELDS, 'detail'> & PayloadWords> & {
    connectionName?: string | null
    removedOn?: Day
  }

export type LineList = {
  rows: LineRow[]
  /** Lines that match the filters. */
  lineCount: number
  /** All lines of the organization. */
  allLineCount: number
  /** Of the filtered lines, one per currency, by currency code. */
  totals: LineTotal[]
  /** Records before the first of these rows. */
  place: number
  page: number
  /** At least 1. */
  pageCount: number
}

/** The first lines of a list that has more of them than these, ahead of its count and totals. */
export type LinesAhead = Pick<LineList, 'rows' | 'allLineCount' | 'place'> & { lineCount: null; totals: null }

export type LineDetail = RowOf<typeof STORED_LINE_FIELDS, 'row' | 'detail'> & {
  findings: Finding[]
  /** What its issuer is known to do, by the check that it speaks of. */
  habits: Habits
  /** What it is beside the other lines of its account. */
  comparisons: LineComparison[]
  /** The record byte for byte as the partner sent it. */
  rawText: string
  connectionName: string | null
  /** ISO 8601, UTC. */
  firstSeenAt: string
  /** When the platform's record last changed; ISO 8601, UTC. */
  changedAt: string
  /** What the platform changed about it, latest first. */
  history: RecordChange[]
}

export type GroupTotal = { currency: string; totalAmount: DecimalText; lineCount: number }

export type GroupRow = {
  /**
   * One entry, for this level. A null value groups the lines that do not say; `label` is a trip's
   * latest name.
   */
  values: { key: GroupKey; value: string | null; label: string | null }[]
  lineCount: number
  findingCount: number
  /** Lines with findings, each once, by their states. */
  lineStates: StateCounts
  /** By currency code. */
  totals: GroupTotal[]
}

export type GroupList = {
  rows: GroupRow[]
  groupCount: number
  lineCount: number
  allLineCount: number
  totals: LineTotal[]
  page: number
  pageCount: number
}

/** Figures of one row of a matrix, or of its last: all in one currency, of one measure. */
export type MatrixFigures = {
  /** By column; null where no line is. */
  cells: (DecimalText | null)[]
  /** Of all columns, also those that are not shown. A line counts once. */
  total: DecimalText
  lineCount: number
  /** Percent of the total of all, one decimal; null if that is zero. */
  share: DecimalText | null
  /** Of the days compared with, and what the total is more than that; null without them. */
  compared: { total: DecimalText; change: DecimalText; percent: DecimalText | null } | null
}

/** `values`: one for a group, two for one inside it. `label` names the last of them. */
export type MatrixRow = MatrixFigures & { values: (string | null)[]; label: string | null }

export type Matrix = {
  /** Null if no line matches. */
  currency: string | null
  /** Of all currencies, by code. */
  currencies: { currency: string; amount: DecimalText; lineCount: number }[]
  /** At most 60, those with the most lines, in their key's order. */
  columns: { value: string | null; label: string | null }[]
  /** All that there are. */
  columnCount: number
  /** A page of groups; those inside an open one follow it. */
  rows: MatrixRow[]
  all: MatrixFigures
  /** Groups on all pages. */
  groupCount: number
  /** How many groups an open one has beyond those among the rows. */
  further: { value: string | null; count: number }[]
  /** The days compared with. */
  comparedWith: { from: Day; to: Day } | null
  lineCount: number
  allLineCount: number
  page: number
  pageCount: number
}

/** Sums in one currency. `values`: one per key, in the order asked; null where lines do not say. */
export type SummaryRow = {
  values: (string | null)[]
  currency: string
  lineCount: number
  totalAmount: DecimalText
  findingCount: number
  lineStates: StateCounts
}

/** `isWhole`: whether these are all rows. */
export type Summary = { rows: SummaryRow[]; isWhole: boolean }

export type InvoiceRow = RowOf<typeof STORED_INVOICE_FIELDS, 'row'> &
  Partial<RowOf<typeof STORED_INVOICE_FIELDS, 'detail'>> & {
    lineCount: number
    /** Sum of its lines in the invoice's currency; null if there is none. */
    lineTotal: DecimalText | null
    findingCount: number
    /** Its lines with findings, each once, by their states. */
    lineStates: StateCounts
    /** Whether what we hold of it equals its own figures. */
    check: InvoiceCheck
    /** When we noticed that the platform has removed it; ISO 8601, UTC. Null: it is there. */
    missingSince: string | null
  }

/** The proof of completeness in short. */
export type InvoiceCheck = {
  verdict: Verdict
  /** Stated total - held lines. */
  difference: DecimalText
  /** Lines the invoice says it has, beyond those held. */
  linesMissing: number
  rejectedLineCount: number
  /**
   * Of its difference to what it comes to: what nothing explains, and what has reasons but
   * rounding.
   */
  unexplained: DecimalText
  explained: DecimalText
  /** What such lines state as their totals; null if one of them cannot be read. */
  notImported: DecimalText | null
  /** No longer on the platform. */
  isGone: boolean
  /** What is wrong with the invoice itself; its lines have findings of their own. */
  findings: InvoiceFinding[]
  /** What the organization's rules only note. */
  notes: InvoiceFinding[]
}

export type InvoiceList = {
  rows: InvoiceRow[]
  invoiceCount: number
  allInvoiceCount: number
  /** `totalAmount` is the sum of the invoices' stated totals. */
  totals: CurrencyTotal[]
  /** Records before the first of these rows. */
  place: number
  page: number
  pageCount: number
}

export type InvoiceDetail = InvoiceRow &
  RowOf<typeof STORED_INVOICE_FIELDS, 'detail'> & {
    /** What the platform changed about the invoice itself, not its lines, latest first. */
    history: RecordChange[]
    completeness: Completeness
    tieOut: InvoiceTieOut
    /** The latest first; at most a hundred of `tieOut.removed`. */
    removedLines: RemovedLine[]
    /** Its lines that are a finding beside others; at most a hundred. */
    comparedLines: ComparedLine[]
    taxesSummary: TaxSummary[]
    rawText: string
    connectionName: string | null
    firstSeenAt: string
    changedAt: string
  }

/**
 * A line that is a finding beside others of its account. `amount`: the money in question, above
 * zero, in the line's currency. `other`: the line that it repeats or refunds, if there is one.
 */
export type LineComparison = {
  code: LineComparisonCode
  currency: string
  amount: DecimalText
  other: { id: string; invoiceSerialNumber: string } | null
}
export type ComparedLine = LineComparison & { id: string; description: string; expenseDate: Day }

/** A line that the platform no longer has, as it last was. */
export type RemovedLine = {
  id: string
  description: string
  expenseDate: Day
  currency: string
  totalAmount: DecimalText
  /** When its absence was noticed; ISO 8601, UTC. */
  missingSince: string
}

/**
 * Lines with findings, each counted once. A line's difference is that of its total and of its tax
 * together: stated - what its prices and its rate come to.
 */
export type FindingTotal = {
  outcome: LineState
  currency: string
  lineCount: number
  /** Exact sum of the differences above zero. */
  overcharged: DecimalText
  /** Exact sum of the differences below zero, without the sign. */
  undercharged: DecimalText
}

/** A number of records and the exact sum of their totals, in one currency. */
export type CountedAmount = { count: number; amount: DecimalText }

/** `unknownCount`: those of them whose total is not in the sum, as it cannot be read. */
export type AsideTotal = CountedAmount & { unknownCount: number }

/**
 * `unexplained`: its total - what its lines come to, as far as nothing explains it. `isFinding`:
 * whether that counts, by the organization's rules. `isShrunk`: it states fewer lines than are
 * here,
 * or less than they come to.
 */
export type OpenInvoice = {
  connectionId: ConnectionId
  serialNumber: string
  unexplained: DecimalText
  isFinding: boolean
  isShrunk: boolean
}

/**
 * `findings`: how many invoices have each finding of their own, and the sums of its amounts without
 * their signs; `shrunk`: the account of each of them that states less than is here.
 */
export type TieOut = {
  currencies: CurrencyTieOut[]
  findings: { code: InvoiceFindingCode; invoiceCount: number; sums: Money[]; shrunk: ConnectionId[] }[]
}

/**
 * One currency tied out: `comesTo` is lines + notImported - creditUsed, `difference` is the sum of
 * the invoices' totals - comesTo, and `explained` with `unexplained` is the whole difference. All
 * amounts are exact.
 */
export type CurrencyTieOut = {
  currency: string
  lines: CountedAmount
  /** Lines that could not be imported, of invoices that were. */
  notImported: AsideTotal
  /** Lines that the platform removed; in no other sum. */
  removed: CountedAmount
  /** The count is of invoices. */
  creditUsed: CountedAmount
  comesTo: DecimalText
  invoices: CountedAmount
  difference: DecimalText
  /** Each reason once; the count is of invoices. */
  explained: (CountedAmount & { reason: TieOutReason })[]
  unexplained: DecimalText
  /** Invoices with a difference that nothing explains. */
  openInvoices: OpenInvoice[]
  /** Of `lines`, those without an invoice or in another currency than it; in `unexplained`. */
  stray: CountedAmount
}

/** Lines that the platform no longer has; no other total has them. */
export type GoneInvoices = { currency: string; invoiceCount: number; totalAmount: DecimalText }
export type GoneTotal = { currency: string; lineCount: number; totalAmount: DecimalText }

export type MonthTotal = {
  /** YYYY-MM of the day of expense, or of issue. */
  month: string
  currency: string
  relatedVertical: string | null
  totalAmount: DecimalText
}

/** What does not add up, was removed, or could not be read. `gone`: noticed from `since` on. */
export type Troubles = {
  findings: FindingTotal[]
  gone: { since: Day; totals: GoneTotal[]; invoices: GoneInvoices[] }
  rejectedCount: number
}

/** Of one scope, but for `all`: the same of everything, which tells what is outside. */
export type Overview = Troubles & {
  /** Who the organization's invoices are made out to, by name. */
  profiles: { id: string; name: string | null; connectionId: ConnectionId }[]
  currencies: LineTotal[]
  all: Troubles
  invoiceCount: number
  lineCount: number
  months: MonthTotal[]
  /** The days that the months are of. */
  monthsOf: 'expense' | 'issue'
  /** Whether they are told apart by vertical; no roll-up does for a profile. */
  isSplit: boolean
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
  /** Whether its invoice is here, and so has a page. */
  hasInvoice: boolean
  /** What it states as its total, where that can be read. */
  statedTotal: DecimalText | null
  statedCurrency: string | null
  reason: string
  path: string
  firstSeenAt: string
  lastSeenAt: string
}

/** A stored value, and its name if it is an id. Null: some records do not say. */
type FilterOption = { value: string | null; name?: string | null }

/** The values that occur, per filter. */
export type FilterOptions = Record<
  ChosenFrom<typeof LINE_FILTERS, 'stored' | 'frequent' | 'connections'>,
  FilterOption[]
>

/** A choice of a filter that has too many to list; `name` of a value that is an id. */
export type FoundOption = { value: string; name: string | null }

export type NavigationCounts = { invoices: number; lines: number }

/** One change of a record on the platform, as a run saw it. Moments are ISO 8601 in UTC. */
export type RecordChange = {
  /** Since when the version before the change was known. */
  validFrom: string
  seenAt: string
  /** The run that saw it; null if unknown. */
  runId: RunId | null
  /** Why that run was started. */
  trigger: SyncTrigger | null
  /** Who asked for that run; null if nobody did. */
  startedBy: string | null
  fields: FieldChange[]
  before: Money
  after: Money
  /**
   * The difference of the totals; null if the currency changed: nothing is subtracted across
   * currencies.
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
  /** The expense is so old that the look-back window would not have met it. */
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
  startedBy: string | null
  seenAt: string
  /** The invoice's own changes; more than one if it changed twice in the run. */
  invoice: RecordChange[]
  /** Lines with the largest money effect first. */
  lines: LineChange[]
  /** All changed lines, including those not in `lines`. */
  lineCount: number
  /** Lines that the platform removed, those with the largest totals first. */
  removed: RemovedLine[]
  /** All removed lines, including those not in `removed`. */
  removedCount: number
  /** Set when the platform removed the invoice itself; the money is that of its lines. */
  removedInvoice: { currency: string; total: DecimalText; missingSince: string } | null
}

export type ChangeList = {
  groups: InvoiceChanges[]
  groupCount: number
  /** The first day of the list. */
  since: Day
  /** One per currency that has or had lines, by currency code. */
  bridges: Bridge[]
  /** Invoices seen for the first time. */
  arrivedInvoices: number
  page: number
  pageCount: number
}

/** `ChangeList` without the changes themselves. */
export type ChangeSummary = Pick<ChangeList, 'since' | 'bridges' | 'arrivedInvoices' | 'groupCount'>

/**
 * How far a month was read. `verified`: all of it. `held`: invoices of it, but not all of it.
 * `unread`: not read completely yet. `empty`: read, and nothing there. `before`: read, and older
 * than the profile's first invoice.
 */
export type CoverageState = 'verified' | 'held' | 'unread' | 'gone' | 'empty' | 'before'

/** One month of one profile, by the invoices' days of issue. */
export type CoverageCell = {
  /** YYYY-MM. */
  month: string
  state: CoverageState
  /** The worst of its invoices and of their lines. */
  verdict: State
  /** Those that the platform has. */
  invoiceCount: number
  lineCount: number
  rejectedLineCount: number
  /** Lines that invoices say they have, beyond those held. */
  linesMissing: number
  /** Invoices no longer on the platform. */
  goneCount: number
  /** Its invoices by their own states. */
  states: StateCounts
  /** Their lines with findings, by their states. */
  lineStates: StateCounts
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
   * What the platform last stated for the whole lists, beside what we hold; null if it was not
   * asked.
   */
  lists: { list: 'invoices' | 'lines'; reported: number | null; held: number; rejected: number }[]
  /** Invoices without a day of issue: in no month. */
  undatedInvoices: number
}

/** A connection's last months in one row. */
export type CompactCoverage = { connectionId: ConnectionId; cells: CoverageCell[] }
