import { CONCERN_TITLES } from '#components/connections/concern-titles.ts'
import { describeConcern } from '#components/connections/concern-words.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import { INVOICE_FINDING_DETAILS, INVOICE_FINDING_LABELS } from '#components/tie-out/tie-out-words.ts'
import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { CurrencyTieOut, FindingTotal, OpenInvoice, Overview, TieOut } from '#lib/ledger/model.ts'
import { DEFAULT_INVOICE_QUERY } from '#lib/ledger/query/invoice-query.ts'
import { EVERYTHING, type LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { formatAmount, formatDay } from '#lib/reconcile/format.ts'
import { type InvoiceFindingCode, LINE_COMPARISON_CODES } from '#lib/reconcile/invoice-finding.ts'
import { isNegativeDecimal, isZeroDecimal, type Money, sumDecimals, toSize } from '#lib/reconcile/money.ts'
import type { Need } from './needs-you.tsx'

/** Words for lines with findings, after their number. */
const FINDING_TITLES: Record<FindingTotal['outcome'], [one: string, many: string]> = {
  unexplained: ['line does not add up, nothing explains why', 'lines do not add up, nothing explains why'],
  explained: ['line differs for a known reason', 'lines differ for known reasons'],
}

/**
 * What needs a person: invoices that do not tie out, then lines that do not add up, with the money
 * in question, then the connections' concerns at `now` (milliseconds), then records that could not
 * be read. All of it is of the scope, and leads to lists of the scope.
 */
export function listNeeds(
  { findings, gone, rejectedCount, tieOut }: Pick<Overview, 'findings' | 'gone' | 'rejectedCount'> & { tieOut: TieOut },
  connections: ConnectionSummary[],
  now: number,
  scope: LedgerScope = EVERYTHING,
): Need[] {
  const outcomes = (['unexplained', 'explained'] as const).filter((outcome) =>
    findings.some((f) => f.outcome === outcome),
  )
  const ofLines = outcomes.map((outcome): Need => {
    const found = findings.filter((finding) => finding.outcome === outcome)
    const lineCount = found.reduce((count, finding) => count + finding.lineCount, 0)
    return {
      key: `finding ${outcome}`,
      mark: outcome === 'unexplained' ? 'failed' : 'partial',
      title: plural(lineCount, ...FINDING_TITLES[outcome]),
      detail: <Charges found={found} />,
      href: toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, ...scope, outcomes: [outcome] } }),
      action: 'Show lines',
    }
  })
  const ofInvoices = listInvoiceNeeds(tieOut, scope)
  // a removed invoice is why its lines are gone
  const ofGone = [
    ...(gone.invoices.length === 0 ? [] : [toGoneInvoicesNeed(gone, scope)]),
    ...(gone.totals.length === 0 ? [] : [toGoneNeed(gone, scope)]),
  ]
  // what is explained comes after everything that is not
  const ofRecords = [...ofInvoices, ...ofLines, ...ofGone]
  const needs = [
    ...ofRecords.filter(({ mark }) => mark === 'failed'),
    ...ofRecords.filter(({ mark }) => mark !== 'failed'),
  ]
  const concerned = connections.flatMap((connection) =>
    listConcerns(connection, now).map((concern) => ({ connection, concern })),
  )
  // the most urgent across all connections first
  for (const { connection, concern } of concerned.sort((a, b) => toUrgency([a.concern]) - toUrgency([b.concern]))) {
    const title = CONCERN_TITLES[concern.code]
    const { brief } = describeConcern(concern, connection, now)
    needs.push({
      key: `${concern.code} ${connection.id}`,
      mark: concern.tone === 'bad' ? 'failed' : 'held',
      title: `${toAccountName(connection)}: ${title}`,
      detail: brief,
      href: `/connections/${connection.id}`,
      action: concern.code === 'link_ended' ? 'Reconnect' : 'Review',
    })
  }
  if (rejectedCount > 0)
    needs.push({
      key: 'rejected',
      mark: 'open',
      title: plural(rejectedCount, 'record not imported', 'records not imported'),
      detail: <NotImported currencies={tieOut.currencies} />,
      href: '/rejected',
      action: 'Review',
    })
  return needs
}

/** Codes that another need names already. */
const NAMED_ELSEWHERE: InvoiceFindingCode[] = ['total', 'not_imported']

function listInvoiceNeeds({ currencies, findings }: TieOut, scope: LedgerScope): Need[] {
  const { dateField: _ofLines, ...inScope } = scope
  const needs: Need[] = []
  const open = currencies.flatMap(({ currency, openInvoices }) =>
    openInvoices.flatMap((each) => (each.isFinding ? { ...each, currency } : [])),
  )
  const [only] = open
  if (open.length === 1 && only !== undefined) needs.push(toOpenInvoiceNeed(only))
  else if (open.length > 1)
    needs.push({
      key: 'open invoices',
      mark: 'failed',
      title: `${plural(open.length, 'invoice')} do not tie out, nothing explains why`,
      detail: <OpenSums currencies={currencies} />,
      href: toListAddress({ list: 'invoices', query: { ...DEFAULT_INVOICE_QUERY, ...inScope, findings: ['total'] } }),
      action: 'Show invoices',
    })
  const others = findings.filter(({ code }) => !NAMED_ELSEWHERE.includes(code))
  for (const { code, invoiceCount, sums } of others)
    needs.push({
      key: `invoice finding ${code}`,
      mark: code === 'total_explained' ? 'partial' : 'failed',
      title: `${plural(invoiceCount, 'invoice')}: ${INVOICE_FINDING_LABELS[code].toLowerCase()}`,
      detail: isComparison(code) ? (
        <SumsAndWords sums={sums} words={INVOICE_FINDING_DETAILS[code]} />
      ) : (
        INVOICE_FINDING_DETAILS[code]
      ),
      href: toListAddress({ list: 'invoices', query: { ...DEFAULT_INVOICE_QUERY, ...inScope, findings: [code] } }),
      action: 'Show invoices',
    })
  return needs
}

function toOpenInvoiceNeed({
  connectionId,
  serialNumber,
  unexplained,
  currency,
}: OpenInvoice & { currency: string }): Need {
  const side = isNegativeDecimal(unexplained) ? 'below' : 'above'
  return {
    key: 'open invoices',
    mark: 'failed',
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
function isComparison(code: InvoiceFindingCode): boolean {
  return LINE_COMPARISON_CODES.some((each) => each === code)
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
function OpenSums({ currencies }: { currencies: readonly CurrencyTieOut[] }) {
  const sums = (['above', 'below'] as const).flatMap((side) => {
    const amounts = currencies.flatMap(({ currency, openInvoices }) => {
      const own = openInvoices.filter(
        ({ unexplained, isFinding }) => isFinding && isNegativeDecimal(unexplained) === (side === 'below'),
      )
      return own.length === 0
        ? []
        : { currency, amount: toSize(sumDecimals(own.map(({ unexplained }) => unexplained))) }
    })
    return amounts.length === 0 ? [] : [{ side, amounts }]
  })
  return sums.map(({ side, amounts }, index) => (
    <span key={side}>
      {index > 0 && ', '}
      {side} their lines by <Sums sums={amounts} />
    </span>
  ))
}

function toGoneNeed({ since, totals }: Overview['gone'], scope: LedgerScope): Need {
  const lineCount = totals.reduce((count, each) => count + each.lineCount, 0)
  return {
    key: 'gone',
    mark: 'failed',
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

function toGoneInvoicesNeed({ since, invoices }: Overview['gone'], scope: LedgerScope): Need {
  const count = invoices.reduce((all, each) => all + each.invoiceCount, 0)
  const { dateField: _ofLines, ...ofInvoices } = scope
  return {
    key: 'gone invoices',
    mark: 'failed',
    title: plural(count, 'invoice removed by the platform', 'invoices removed by the platform'),
    detail: (
      <>
        <Sums sums={invoices.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />, no longer in
        any total; noticed since {formatDay(since)}
      </>
    ),
    href: toListAddress({ list: 'invoices', query: { ...DEFAULT_INVOICE_QUERY, ...ofInvoices, goneOnly: true } }),
    action: 'Show invoices',
  }
}

/** Too much and too little apart, per currency; what is zero is left out. */
function Charges({ found }: { found: FindingTotal[] }) {
  const sides = (['overcharged', 'undercharged'] as const).flatMap((side) => {
    const sums = found
      .map((each) => ({ currency: each.currency, amount: each[side] }))
      .filter(({ amount }) => !isZeroDecimal(amount))
    return sums.length === 0 ? [] : [{ side, sums }]
  })
  return sides.map(({ side, sums }, index) => (
    <span key={side}>
      {index > 0 && ', '}
      {side} <Sums sums={sums} />
    </span>
  ))
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
