/**
 * What the months of every profile come to, for the page that closes them: lines and findings from
 * the sums of invoices and the lines with findings, invoices from one survey. No page of it reads
 * all lines.
 */
import type { ConnectionId } from '#lib/ids.ts'
import { addDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import { isReviewed } from '#lib/reconcile/review/invoice-review.ts'
import { isUndecided, type ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { type LineState, type State, worstOf } from '#lib/reconcile/verdict.ts'
import { toLineState } from '../fields/line-fields.ts'
import { ARE_MONTHS_SUMMED } from '../kept/month-sums/choose-measured-source.ts'
import type { CompletenessSurvey, InvoiceCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import { type InvoiceReviews, toReviewed } from '../review/invoices/read-reviewed.ts'
import { REVIEW_OF_LINE } from '../review/review-columns.ts'

/** Lines of one currency that the platform has. `net`: without tax. */
type MonthMoney = { currency: string; lineCount: number; total: DecimalText; net: DecimalText }

/** A month of issue of a profile; `profileId` null: of no profile. */
export type MonthKey = { connectionId: ConnectionId; profileId: string | null; month: string }

export type MonthFacts = MonthKey & {
  money: MonthMoney[]
  invoiceCount: number
  /** Invoices of which lines are missing. */
  incompleteCount: number
  /** Findings of lines and invoices by where they stand; what is open or suspended waits. */
  findings: Partial<Record<ReviewChoice, number>>
  undecided: number
  /** The worst of what waits. */
  worst: State
}

/** From the first day on, and before the other. */
export type MonthSpan = { from: string; before: string }

const MONTH = `to_char(l.issuing_date, 'YYYY-MM')`
const OF_SPAN = 'l.organization_id = $1 and l.issuing_date >= $2::date and l.issuing_date < $3::date'
const MONEY = `l.connection_id, l.profile_id, l.issuing_date, l.currency, l.line_count, l.total_amount, l.tax_amount`

/**
 * SQL of the lines' sums: `$1` the organization, `$2` and `$3` the span. From the sums by month
 * where these stand, else from those of the invoices.
 */
export const MONEY_OF_MONTHS = `
  with summed as materialized (select ${ARE_MONTHS_SUMMED} as are)
  select l.connection_id as "connectionId", l.profile_id as "profileId", ${MONTH} as month, l.currency,
         sum(l.line_count)::int as "lineCount", sum(l.total_amount)::text as total,
         (sum(l.total_amount) - sum(l.tax_amount))::text as net
  from (select ${MONEY} from month_sum l where (select are from summed) and l.grain = 'profile' and ${OF_SPAN}
        union all
        select ${MONEY} from invoice_rollup l where not (select are from summed) and ${OF_SPAN}) l
  group by 1, 2, 3, 4 having sum(l.line_count) > 0 order by 4`

/** Lines with findings, and decided ones that have fallen, by where they stand. */
export const FINDINGS_OF_MONTHS = `
  select l.connection_id as "connectionId", l.profile_id as "profileId", ${MONTH} as month,
         coalesce(v.state, 'open') as state, ${toLineState('l')} as "lineState", count(*)::int as "lineCount"
  from line l left join ${REVIEW_OF_LINE}
  where ${OF_SPAN} and l.missing_since is null and l.finding_count > 0
  group by 1, 2, 3, 4, 5
  union all
  select l.connection_id, l.profile_id, ${MONTH}, v.state, 'note', count(*)::int
  from line_review v join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
  where v.organization_id = $1 and v.state in ('disputed', 'suspended') and (l.finding_count = 0 or l.missing_since is not null)
    and ${OF_SPAN}
  group by 1, 2, 3, 4`

export type MoneyRow = MonthKey & MonthMoney
export type FindingRow = MonthKey & { state: ReviewChoice; lineState: LineState; lineCount: number }

/** Proofs of all invoices, and what was decided about them. `fallen`: decided, and plain by now. */
export type Proofs = { survey: CompletenessSurvey; reviews: InvoiceReviews; fallen: readonly InvoiceCompleteness[] }

/** Names a month of a profile, in maps. */
export function toMonthName({ connectionId, profileId, month }: MonthKey): string {
  return JSON.stringify([connectionId, profileId, month])
}

/** All facts of the months of a span, from rows and a survey of one moment. */
export function toMonthFacts(
  { money, findings }: { money: readonly MoneyRow[]; findings: readonly FindingRow[] },
  { survey, reviews, fallen }: Proofs,
  { from, before }: MonthSpan,
): Map<string, MonthFacts> {
  const facts = new Map<string, MonthFacts>()
  const factsOf = ({ connectionId, profileId, month }: MonthKey): MonthFacts => {
    const name = toMonthName({ connectionId, profileId, month })
    const known = facts.get(name) ?? {
      connectionId,
      profileId,
      month,
      money: [],
      findings: {},
      worst: 'ties_out' as const,
      invoiceCount: 0,
      incompleteCount: 0,
      undecided: 0,
    }
    facts.set(name, known)
    return known
  }
  const isOfSpan = (month: string | null): month is string =>
    month !== null && month >= from.slice(0, 7) && month < before.slice(0, 7)
  for (const { currency, lineCount, total, net, ...key } of money)
    factsOf(key).money.push({ currency, lineCount, total, net })
  for (const { state, lineState, lineCount, ...key } of findings) note(factsOf(key), state, lineState, lineCount)
  for (const { month, isGone, invoiceCount, ...key } of survey.plain)
    if (isOfSpan(month) && !isGone) factsOf({ ...key, month }).invoiceCount += invoiceCount
  for (const proof of survey.proved) {
    const month = proof.issuingDate?.slice(0, 7) ?? null
    if (!isOfSpan(month)) continue
    const own = factsOf({ connectionId: proof.connectionId, profileId: proof.profileId, month })
    if (!proof.isGone) own.invoiceCount += 1
    const { count } = proof.completeness
    if (!proof.isGone && (count.stated ?? 0) > count.held) own.incompleteCount += 1
  }
  for (const proof of [...survey.proved, ...fallen]) {
    const month = proof.issuingDate?.slice(0, 7) ?? null
    const { stand, seen, own } = toReviewed(proof, reviews)
    if (!isOfSpan(month) || !isReviewed(stand, seen)) continue
    note(factsOf({ connectionId: proof.connectionId, profileId: proof.profileId, month }), stand.state, own, 1)
  }
  return facts
}

function note(facts: MonthFacts, state: ReviewChoice, verdict: State, count: number): void {
  facts.findings[state] = (facts.findings[state] ?? 0) + count
  if (!isUndecided(state)) return
  facts.undecided += count
  facts.worst = worstOf([facts.worst, verdict])
}

/** Several profiles of an account together. */
export function addFacts(all: readonly MonthFacts[], key: MonthKey): MonthFacts {
  const sum = (read: (facts: MonthFacts) => number) => all.reduce((count, facts) => count + read(facts), 0)
  const money = new Map<string, MonthMoney>()
  for (const each of all.flatMap((facts) => facts.money)) {
    const known = money.get(each.currency)
    money.set(each.currency, known === undefined ? each : addMoney(known, each))
  }
  const findings: MonthFacts['findings'] = {}
  for (const facts of all)
    for (const [state, count] of Object.entries(facts.findings))
      findings[state as ReviewChoice] = (findings[state as ReviewChoice] ?? 0) + count
  return {
    ...key,
    money: [...money.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    invoiceCount: sum(({ invoiceCount }) => invoiceCount),
    incompleteCount: sum(({ incompleteCount }) => incompleteCount),
    findings,
    undecided: sum(({ undecided }) => undecided),
    worst: worstOf(all.map(({ worst }) => worst)),
  }
}

function addMoney(one: MonthMoney, other: MonthMoney): MonthMoney {
  return {
    currency: one.currency,
    lineCount: one.lineCount + other.lineCount,
    total: addDecimals(one.total, other.total),
    net: addDecimals(one.net, other.net),
  }
}
