/**
 * The ledger's answers: types only, shared with pages and components. Amounts are exact text,
 * counts are numbers.
 */
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { Bridge } from '#lib/reconcile/bridge.ts'
import type { Habits } from '#lib/reconcile/checks/judge.ts'
import type { Completeness, Verdict } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { Answer, OpenDispute } from '#lib/reconcile/dispute/answer.ts'
import type { Letter } from '#lib/reconcile/dispute/letter.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type {
  InvoiceFinding,
  InvoiceFindingCode,
  LineComparisonCode,
  TieOutReason,
} from '#lib/reconcile/invoice-finding.ts'
import type { Finding } from '#lib/reconcile/line-proof.ts'
import type { MomentBridge } from '#lib/reconcile/moments/moment-bridge.ts'
import type { DecimalText, Money } from '#lib/reconcile/money.ts'
import type { PayloadWords } from '#lib/reconcile/payload/payload-words.ts'
import type { FieldChange } from '#lib/reconcile/record-diff.ts'
import type { TaxSummary } from '#lib/reconcile/records.ts'
import type { InvoiceStand, SeenInvoice } from '#lib/reconcile/review/invoice-review.ts'
import type { DecisionKind, FallCause, Outcome, ReviewChoice, ReviewState } from '#lib/reconcile/review/review-state.ts'
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
    firstSeenOn?: Day
    review?: ReviewMark | null
    dispute?: DisputeMark | null
  }

/** Where a line stands in the review, in a list that shows it; null: nobody has decided it. */
type ReviewMark = {
  state: ReviewState
  previous: ReviewState | null
  cause: FallCause | null
  decision: string
  /** Who decided it last. */
  name: string
}

/** Lines of one currency that stand alike; `difference`: charged too much or too little. */
export type ReviewCount = {
  state: ReviewChoice
  lineState: LineState | 'ties_out'
  currency: string
  lineCount: number
  difference: DecimalText
}

/** Invoices of one currency that stand alike by themselves, and the money that is in question. */
export type InvoiceReviewCount = { currency: string; invoiceCount: number; stake: DecimalText }

/**
 * A decision. `standing`: lines or invoices of which it is still the last one, at most one more
 * than `MOST_STANDING_COUNTED`. `seenLines`: how far a large one is; lines that it left out have
 * changed meanwhile, or somebody decided them later.
 */
export type Decision = {
  number: string
  kind: DecisionKind
  reason: string | null
  /** The reason as it read then. */
  reasonWords: string | null
  note: string | null
  name: string
  undoOf: string | null
  undoneBy: string | null
  /** The address of the list that it was made on, without the path. */
  question: string
  /**
   * All lines of that list, only those that were picked, or all but those; null where it is not
   * known, and of an undo. `pickedCount`: how many were named.
   */
  pick: 'all' | 'only' | 'except' | null
  pickedCount: number | null
  lineCount: number
  /** Of a decision about invoices, which has no lines. */
  invoiceCount: number
  seenLines: number
  changedLines: number
  standing: number
  /** Of the lines or invoices that it changes. */
  totals: SetTotal[]
  state: 'applying' | 'applied' | 'stopped'
  /** ISO 8601. */
  at: string
}

/** Lines of one currency: their stated totals, and what they are charged too much or too little. */
export type SetTotal = { currency: string; lineCount: number; totalAmount: DecimalText; difference: DecimalText }

/** Lines with the same outcome and state. `since`: who has decided them, the latest first. */
export type OutcomePart = {
  outcome: Outcome
  state: ReviewChoice
  totals: SetTotal[]
  since: { name: string; number: string; at: string; lineCount: number }[]
}

/**
 * What explains the lines that would change, a reason's code, null for money that nothing does; or
 * what is found of the invoices.
 */
export type ReasonPart = { lineState: State; reason: string | null; totals: SetTotal[] }

/** `hash` names exactly this set as it is; `lastDecision` and `at` say as of when. */
export type DecisionPreview = {
  /** What is counted: `lineCount` are invoices where it is about these. */
  of: 'line' | 'invoice'
  hash: string
  lineCount: number
  parts: OutcomePart[]
  reasons: ReasonPart[]
  asksForReason: boolean
  /** The reasons that may be chosen, in the organization's order. */
  choices: { code: string; words: string }[]
  lastDecision: string
  /** ISO 8601, UTC. */
  at: string
}

/** A letter that somebody has sent: how many days ago, and by whom. */
type LetterMark = { daysAgo: number; name: string }

/** The same, with what was said of it. `withdrawnBy`: it was not sent after all. */
export type SentLetter = LetterMark & {
  id: string
  sentOn: Day
  recipient: string
  /** How many disputed lines it names. */
  lineCount: number
  withdrawnBy: string | null
}

/** A letter with the disputes that it names, and to whom the last one of the account went. */
export type LetterToSend = Letter & { disputes: { lineId: string; decision: string }[]; recipient: string | null }

/** How long a line has been disputed, and the last letter about that. */
type DisputeMark = { daysWaiting: number; letter: LetterMark | null }

/** A dispute that nobody has settled, as people see it, and what may answer it. */
export type AnsweredDispute = {
  dispute: OpenDispute & DisputeMark & { totalBefore: DecimalText; totalAmount: DecimalText }
  answer: Answer | null
}

/**
 * What has happened in the review: the numbers of the last decision and the last fall, and what
 * others decided, the latest first.
 */
export type ReviewNews = {
  decision: string
  fall: string
  others: { number: string; kind: DecisionKind; name: string; lineCount: number; of: DecisionPreview['of'] }[]
}

/** What was decided about an invoice itself. */
export type InvoiceEvent = Pick<Decision, 'number' | 'kind' | 'reason' | 'reasonWords' | 'note' | 'name' | 'at'>

/** A decision about a line that fell, or came back by itself (without a cause). */
type ReviewFall = {
  cause: FallCause | null
  decision: string
  at: string
  currencyBefore: string
  amountBefore: DecimalText
  currencyAfter: string
  amountAfter: DecimalText
}

export type ReviewEvent = Decision | ReviewFall

/** Where a line stands, what it was and is, and what was decided about it, the latest first. */
export type LineReview = {
  state: ReviewChoice
  previous: ReviewState | null
  cause: FallCause | null
  decision: string | null
  currency: string
  amountNow: DecimalText
  /** As it was decided; null when nobody has. */
  currencyBefore: string | null
  amountBefore: DecimalText | null
  expectedBack: DecimalText | null
  invoiceSerialNumber: string
  /** Days since it was disputed; null where it is not. */
  daysWaiting: number | null
  /** About the dispute as it stands, the last sent first. */
  letters: SentLetter[]
  events: ReviewEvent[]
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
    /** Where it stands in the review, without its lines; null: there is nothing to decide. */
    review: InvoiceMark | null
    /** When we noticed that the platform has removed it; ISO 8601, UTC. Null: it is there. */
    missingSince: string | null
  }

/** `decision` and `name`: which was the last one, and whose; null for none. */
type InvoiceMark = InvoiceStand & { decision: string | null; name: string | null }

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
    /** What was decided about the invoice itself, the latest first. */
    decisions: InvoiceEvent[]
    /** What was seen when it was decided last; null when nobody has. */
    seen: SeenInvoice | null
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

/**
 * Lines whose decision fell, of one cause and currency: the exact sums of their totals when they
 * were decided and now. Of lines that are gone, now is what they were last.
 */
export type FallSum = {
  cause: FallCause
  currencyBefore: string
  currency: string
  lineCount: number
  amountBefore: DecimalText
  amountNow: DecimalText
}

/** A line whose decision, by its number, fell. */
export type FallenLine = Omit<FallSum, 'lineCount'> & {
  connectionId: ConnectionId
  id: string
  description: string | null
  decision: string
}

/** A number of records and the exact sum of their totals, in one currency. */
export type CountedAmount = { count: number; amount: DecimalText }

/** `unknownCount`: those of them whose total is not in the sum, as it cannot be read. */
export type AsideTotal = CountedAmount & { unknownCount: number }

/**
 * `unexplained`: its total - what its lines come to, as far as nothing explains it. `isFinding`:
 * whether that counts, by the organization's rules; `isDecided`: whether somebody has accepted or
 * disputed it. `isShrunk`: it states fewer lines than are
 * here,
 * or less than they come to.
 */
export type OpenInvoice = {
  connectionId: ConnectionId
  serialNumber: string
  unexplained: DecimalText
  isFinding: boolean
  isDecided: boolean
  isShrunk: boolean
}

/**
 * `findings`: how many invoices have each finding of their own that nobody has decided, and the
 * sums of its amounts without their signs; `shrunk`: the account of each of them that states less
 * than is here.
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

/** What a bridge tells of a line at one moment. */
export type LineThen = {
  currency: string
  totalAmount: DecimalText
  /** Whether the platform had it. */
  isGone: boolean
  issuingDate: Day | null
  expenseDate: Day
  profileId: string | null
  costCenter: string | null
  tripId: string | null
  /** Null: from before they were kept. */
  findingCodes: string[] | null
  explainedCodes: string[] | null
}

/** A line of one part of a bridge. `before` is null where it had not come yet. */
export type MomentLine = {
  connectionId: ConnectionId
  connectionName: string | null
  id: string
  serialNumber: string
  description: string
  currency: string
  effect: DecimalText
  before: LineThen | null
  after: LineThen
}

/** The bridges of a scope, one per currency, and a page of the lines of a part. */
export type MomentList = {
  bridges: MomentBridge[]
  lines: MomentLine[]
  lineCount: number
  /** The lines are by day of expense, the newest first, as they are very many; else by effect. */
  isByDay: boolean
  pageCount: number
}

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
