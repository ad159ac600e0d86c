import { CONCERN_TITLES } from '#components/connections/concern-titles.ts'
import { describeConcern } from '#components/connections/concern-words.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { CurrencyTieOut, FindingTotal, OpenInvoice, Overview, TieOut } from '#lib/ledger/model.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { EVERYTHING, type LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { formatAmount, formatCount, formatDay } from '#lib/reconcile/format.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { type InvoiceFindingCode, LINE_COMPARISON_CODES } from '#lib/reconcile/invoice-finding.ts'
import { isNegativeDecimal, isZeroDecimal, type Money, sumDecimals, toSize } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_DETAILS, INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import { type State, stateOfInvoiceFinding } from '#lib/reconcile/verdict.ts'
import type { Explained, Need } from './needs-you.tsx'

/** Words for lines with findings, after their number. What is only a note needs nobody. */
const FINDING_TITLES: Record<'unexplained' | 'explained', [one: string, many: string]> = {
  unexplained: ['line with unexplained differences', 'lines with unexplained differences'],
  explained: ['line with explained differences', 'lines with explained differences'],
}

/** A state in which something needs a person, worst first. */
const NEEDY = ['unexplained', 'explained', 'not_imported', 'removed'] as const satisfies State[]

type Records = Pick<Overview, 'findings' | 'gone' | 'rejectedCount'> & { tieOut: TieOut }

/**
 * What needs a person: causes first, which are the connections' concerns at `now` (milliseconds)
 * and losses that wait for a decision, with what these explain under them; then invoices and lines,
 * the worst first, with the money in question. All of it is of the scope, and leads to lists of the
 * scope.
 */
export function listNeeds(
  records: Records,
  connections: ConnectionSummary[],
  now: number,
  scope: LedgerScope = EVERYTHING,
): Need[] {
  const losses = connections.filter(({ openLoss }) => openLoss !== null).map(({ id }) => id)
  const ofRecords = listRecordNeeds(records, losses, scope)
  return [
    ...listConcernNeeds(connections, records.tieOut, now, scope),
    ...NEEDY.flatMap((state) => ofRecords.filter((need) => need.state === state)),
  ]
}

/** The most urgent across all connections first. */
function listConcernNeeds(connections: ConnectionSummary[], tieOut: TieOut, now: number, scope: LedgerScope): Need[] {
  const concerned = connections.flatMap((connection) =>
    listConcerns(connection, now).map((concern) => ({ connection, concern })),
  )
  return concerned
    .sort((a, b) => toUrgency([a.concern]) - toUrgency([b.concern]))
    .map(({ connection, concern }) => {
      const { brief } = describeConcern(concern, connection, now)
      const isLoss = concern.code === 'loss_held'
      const title = isLoss ? toLossTitle(connection) : CONCERN_TITLES[concern.code]
      return {
        key: `${concern.code} ${connection.id}`,
        mark: concern.tone === 'bad' ? 'failed' : 'held',
        title: `${toAccountName(connection)}: ${title}`,
        detail: brief,
        href: `/connections/${connection.id}`,
        action: concern.code === 'link_ended' ? 'Reconnect' : isLoss ? 'Decide' : 'Review',
        explains: isLoss ? listExplained(tieOut, connection.id, scope) : [],
      }
    })
}

function toLossTitle({ openLoss }: ConnectionSummary): string {
  const { missingLines = 0, missingInvoices = 0 } = openLoss ?? {}
  return `${missingLines > 0 ? plural(missingLines, 'line') : plural(missingInvoices, 'invoice')} vanished: decide`
}

/**
 * What a held loss is the cause of: these invoices state less than is here, which nobody removed
 * yet.
 */
function listExplained({ findings, currencies }: TieOut, connectionId: ConnectionId, scope: LedgerScope): Explained[] {
  const open = currencies.flatMap(({ openInvoices }) =>
    openInvoices.filter(({ isFinding, isDecided }) => isFinding && !isDecided),
  )
  const ofLoss = open.filter((each) => each.isShrunk && each.connectionId === connectionId)
  const toExplained = (code: InvoiceFindingCode, count: number, words: string): Explained[] =>
    count === 0
      ? []
      : [
          {
            title: `explains ${plural(count, 'invoice')}: ${words}`,
            href: toFound(scope, [code], { connections: [connectionId] }),
            action: `Show ${formatCount(count)}`,
          },
        ]
  return [
    ...toExplained('total', ofLoss.length, 'states less than its lines'),
    ...SHRINKING.flatMap((code) =>
      toExplained(code, countShrunk(findings, code, [connectionId]), INVOICE_FINDING_LABELS[code].toLowerCase()),
    ),
  ]
}

/** Findings of invoices that follow from lines that vanished. */
const SHRINKING: InvoiceFindingCode[] = ['regime_total', 'regime_tax', 'regime_subtotal']

function countShrunk(
  findings: TieOut['findings'],
  code: InvoiceFindingCode,
  accounts: readonly ConnectionId[],
): number {
  const shrunk = findings.find((each) => each.code === code)?.shrunk ?? []
  return shrunk.filter((connectionId) => accounts.includes(connectionId)).length
}

/** A need about records, in the state that it is about. */
type RecordNeed = Need & { state: State }

/** `losses`: accounts with a held loss, whose effects stand under it. */
function listRecordNeeds(
  { findings, gone, rejectedCount, tieOut }: Records,
  losses: ConnectionId[],
  scope: LedgerScope,
): RecordNeed[] {
  const ofLines = (['unexplained', 'explained'] as const).flatMap((state): RecordNeed[] => {
    const found = findings.filter(({ outcome }) => outcome === state)
    if (found.length === 0) return []
    const lineCount = found.reduce((count, finding) => count + finding.lineCount, 0)
    return [
      {
        key: `finding ${state}`,
        state,
        title: plural(lineCount, ...FINDING_TITLES[state]),
        detail: <Charges found={found} />,
        href: toListAddress({
          list: 'lines',
          query: {
            ...DEFAULT_LINE_QUERY,
            ...scope,
            outcomes: [state],
            reviews: [...UNDECIDED],
            sort: { key: 'difference', descending: true },
          },
        }),
        action: 'Show lines',
      },
    ]
  })
  const needs = [...listInvoiceNeeds(tieOut, losses, scope), ...ofLines]
  // a removed invoice is why its lines are gone
  if (gone.invoices.length > 0) needs.push(toGoneInvoicesNeed(gone, scope))
  if (gone.totals.length > 0) needs.push(toGoneNeed(gone, scope))
  if (rejectedCount > 0)
    needs.push({
      key: 'rejected',
      state: 'not_imported',
      title: plural(rejectedCount, 'record not imported', 'records not imported'),
      detail: <NotImported currencies={tieOut.currencies} />,
      href: '/rejected',
      action: 'Review',
    })
  return needs
}

/** Codes that another need names already. */
const NAMED_ELSEWHERE: InvoiceFindingCode[] = ['total', 'not_imported']

function listInvoiceNeeds(
  { currencies, findings }: TieOut,
  losses: readonly ConnectionId[],
  scope: LedgerScope,
): RecordNeed[] {
  const needs: RecordNeed[] = []
  const isOfLoss = (each: OpenInvoice) => each.isShrunk && losses.includes(each.connectionId)
  const open = currencies.flatMap(({ currency, openInvoices }) =>
    openInvoices.flatMap((each) => (each.isFinding && !each.isDecided && !isOfLoss(each) ? { ...each, currency } : [])),
  )
  const [only] = open
  if (open.length === 1 && only !== undefined) needs.push(toOpenInvoiceNeed(only))
  else if (open.length > 1)
    needs.push({
      key: 'open invoices',
      state: 'unexplained',
      title: `${plural(open.length, 'invoice')} with unexplained differences`,
      detail: <OpenSums open={open} />,
      href: toFound(scope, ['total']),
      action: 'Show invoices',
    })
  const others = findings.filter(({ code }) => !NAMED_ELSEWHERE.includes(code))
  for (const { code, invoiceCount, sums } of others) {
    const count = SHRINKING.includes(code) ? invoiceCount - countShrunk(findings, code, losses) : invoiceCount
    if (count === 0) continue
    needs.push({
      key: `invoice finding ${code}`,
      state: stateOfInvoiceFinding(code),
      title: toInvoiceTitle(code, count),
      detail: hasMoney(code) ? (
        <SumsAndWords sums={sums} words={INVOICE_FINDING_DETAILS[code]} />
      ) : (
        INVOICE_FINDING_DETAILS[code]
      ),
      href: toFound(scope, [code]),
      action: 'Show invoices',
    })
  }
  return needs
}

/** Those with these findings that nobody has decided. */
function toFound(scope: LedgerScope, findings: InvoiceFindingCode[], filters: Partial<InvoiceQuery> = {}): string {
  return toInvoices(scope, { findings, reviews: [...UNDECIDED], ...filters })
}

/** Invoices of the scope; they have no day of expense. */
function toInvoices({ dateField: _ofLines, ...scope }: LedgerScope, filters: Partial<InvoiceQuery>): string {
  return toListAddress({
    list: 'invoices',
    query: { ...DEFAULT_INVOICE_QUERY, ...scope, ...filters },
  })
}

function toInvoiceTitle(code: InvoiceFindingCode, count: number): string {
  if (code === 'total_explained')
    return plural(count, 'invoice differs, reason known', 'invoices differ, reasons known')
  return `${plural(count, 'invoice')}: ${INVOICE_FINDING_LABELS[code].toLowerCase()}`
}

function toOpenInvoiceNeed({
  connectionId,
  serialNumber,
  unexplained,
  currency,
}: OpenInvoice & { currency: string }): RecordNeed {
  const side = isNegativeDecimal(unexplained) ? 'below' : 'above'
  return {
    key: 'open invoices',
    state: 'unexplained',
    title: `${serialNumber} is ${formatAmount(toSize(unexplained), currency)} ${currency} ${side} its lines`,
    detail: INVOICE_FINDING_DETAILS.total,
    href: toInvoiceAddress(connectionId, serialNumber),
    action: 'Open',
  }
}

/** What unreadable lines state as their totals, as far as that can be read. */
function NotImported({ currencies }: { currencies: readonly CurrencyTieOut[] }) {
  const sums = currencies.flatMap(({ currency, notImported: { count, unknownCount, amount } }) =>
    count === unknownCount ? [] : { currency, amount },
  )
  return <SumsAndWords sums={sums} separator=" stated; " words={INVOICE_FINDING_DETAILS.not_imported} />
}

/** Whether the amounts of a finding are money in question, each once. */
function hasMoney(code: InvoiceFindingCode): boolean {
  return code === 'total_explained' || LINE_COMPARISON_CODES.some((each) => each === code)
}

type SumsAndWordsProps = { sums: Money[]; separator?: string; words: string }

/** The words alone where there is no sum. */
function SumsAndWords({ sums, separator = '; ', words }: SumsAndWordsProps) {
  return (
    <>
      <Sums sums={sums} />
      {sums.length > 0 && separator}
      {words}
    </>
  )
}

/** The differences of open invoices, above and below their lines apart. */
function OpenSums({ open }: { open: readonly (OpenInvoice & { currency: string })[] }) {
  const sums = (['above', 'below'] as const).flatMap((side) => {
    const own = open.filter(({ unexplained }) => isNegativeDecimal(unexplained) === (side === 'below'))
    const amounts = [...groupBy(own, ({ currency }) => currency)].map(([currency, of]) => ({
      currency,
      amount: toSize(sumDecimals(of.map(({ unexplained }) => unexplained))),
    }))
    return amounts.length === 0 ? [] : [{ side, amounts }]
  })
  return sums.map(({ side, amounts }, index) => (
    <span key={side}>
      {index > 0 && ', '}
      {side} their lines by <Sums sums={amounts} />
    </span>
  ))
}

function toGoneInvoicesNeed({ since, invoices }: Overview['gone'], scope: LedgerScope): RecordNeed {
  const count = invoices.reduce((all, each) => all + each.invoiceCount, 0)
  return {
    key: 'gone invoices',
    state: 'removed',
    title: plural(count, 'invoice removed by the platform', 'invoices removed by the platform'),
    detail: (
      <>
        <Sums sums={invoices.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />, no longer in
        any total; noticed since {formatDay(since)}
      </>
    ),
    href: toInvoices(scope, { goneOnly: true }),
    action: 'Show invoices',
  }
}

function toGoneNeed({ since, totals }: Overview['gone'], scope: LedgerScope): RecordNeed {
  const lineCount = totals.reduce((count, each) => count + each.lineCount, 0)
  return {
    key: 'gone',
    state: 'removed',
    title: plural(lineCount, 'line removed by the platform', 'lines removed by the platform'),
    detail: (
      <>
        <Sums sums={totals.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />, no longer in any
        total; noticed since {formatDay(since)}
      </>
    ),
    href: toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, ...scope, goneOnly: true } }),
    action: 'Show lines',
  }
}

/**
 * Too much and too little apart, per currency. A currency whose lines come to nothing, as total and
 * tax cancel, is named as well: it is counted.
 */
function Charges({ found }: { found: FindingTotal[] }) {
  const sides = (['overcharged', 'undercharged'] as const).flatMap((side) => {
    const sums = found
      .map((each) => ({ currency: each.currency, amount: each[side] }))
      .filter(({ amount }) => !isZeroDecimal(amount))
    return sums.length === 0 ? [] : [{ side, sums }]
  })
  const even = found.filter((each) => isZeroDecimal(each.overcharged) && isZeroDecimal(each.undercharged))
  return (
    <>
      {sides.map(({ side, sums }, index) => (
        <span key={side}>
          {index > 0 && ', '}
          {side} <Sums sums={sums} />
        </span>
      ))}
      {even.length > 0 && (
        <>
          {sides.length > 0 && ', '}
          <Sums sums={even.map(({ currency, overcharged }) => ({ currency, amount: overcharged }))} />: total and tax
          cancel
        </>
      )}
    </>
  )
}

/** One figure per currency, side by side. */
function Sums({ sums }: { sums: Money[] }) {
  return sums.map(({ currency, amount }, index) => (
    <span key={currency}>
      {index > 0 && ' · '}
      {currency} <ShortAmount amount={amount} currency={currency} />
    </span>
  ))
}
