import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Link } from '#components/query/link.client.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { InvoiceReview } from '#components/review/invoice-review.tsx'
import { plural } from '#components/text/plural.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import { describeInvoice } from '#components/verdict/verdict-words.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import type { Completeness, TaxesCheck } from '#lib/reconcile/completeness.ts'
import { formatCount, formatNumber } from '#lib/reconcile/format.ts'
import { type DecimalText, isZeroDecimal, subtractDecimals, sumDecimals } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_DETAILS, TIE_OUT_WORDS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { type State, stateOfInvoiceFinding } from '#lib/reconcile/verdict.ts'
import { ComparedLines } from './compared-lines.tsx'

type InvoiceTieOutProps = {
  invoice: InvoiceDetail
  mayDecide: boolean
  /** Who signed it, and what comes next. */
  signOff: ReactNode
}

/**
 * An invoice from its lines to its total in one grid: each regime and rate beside the invoice's own
 * summary, lines that could not be imported or were removed, credit used, and the total with what
 * explains its difference. What the invoice does not state reads "not provided". Above it, what is
 * decided about it; beneath it, its lines that are a finding beside others.
 */
export function InvoiceTieOut({ invoice, mayDecide, signOff }: InvoiceTieOutProps) {
  const { completeness, tieOut, currency } = invoice
  const { taxes, count } = completeness
  const { notImported, removed, creditUsed } = tieOut
  const linesTax = sumDecimals(taxes.groups.map(({ heldTax }) => heldTax))
  const review = <InvoiceReview invoice={invoice} mayDecide={mayDecide} />
  // nothing is left that could tie out or lack anything
  if (invoice.missingSince !== null)
    return (
      <>
        {review}
        {signOff}
      </>
    )
  return (
    <section aria-labelledby="tie-out" className="min-w-0">
      <h2 id="tie-out" className="font-medium text-[12px] text-ink3">
        Tie-out
      </h2>
      <Headline invoice={invoice} />
      {review}
      {signOff}
      <ScrollBox label="Tie-out of the invoice" className="overflow-x-auto">
        <table className="waterfall">
          <thead>
            <tr>
              <Head>Regime and rate</Head>
              {Object.entries(COLUMNS).map(([column, name]) => (
                <Head key={column} isFigure>
                  {name}
                </Head>
              ))}
              <Head>Outcome</Head>
            </tr>
          </thead>
          <tbody>
            {taxes.groups.map((group) => (
              <TaxesRow
                key={`${group.taxRegime} ${group.taxPercentage}`}
                group={group}
                currency={currency}
                namedBelow={toNamedBelow(invoice)}
              />
            ))}
            <Row
              name={`Lines · ${plural(completeness.heldLineCount, 'line')}`}
              isSum
              net={<ShortAmount amount={subtractDecimals(tieOut.lines, linesTax)} currency={currency} />}
              tax={<ShortAmount amount={linesTax} currency={currency} />}
              comesTo={<ShortAmount amount={tieOut.lines} currency={currency} />}
              outcome={count.outcome === 'differs' && <VerdictText state="unexplained">{toMissing(count)}</VerdictText>}
            />
            {notImported.lineCount > 0 && (
              <Row
                name={`Not imported · ${plural(notImported.lineCount, 'line')}`}
                comesTo={
                  notImported.unknownCount === notImported.lineCount ? (
                    <NotProvided />
                  ) : (
                    <ShortAmount amount={notImported.amount} currency={currency} />
                  )
                }
                outcome={
                  <Link href="/rejected" className="underline underline-offset-2">
                    View original
                  </Link>
                }
              />
            )}
            {removed.lineCount > 0 && (
              <Row
                name={<s>{`Removed by the platform · ${plural(removed.lineCount, 'line')}`}</s>}
                comesTo={
                  <s>
                    <ShortAmount amount={removed.amount} currency={currency} />
                  </s>
                }
                outcome={
                  <Link href={toRemovedLines(invoice)} className="underline underline-offset-2">
                    Show lines
                  </Link>
                }
              />
            )}
            <Row
              name="Credit used"
              comesTo={
                creditUsed === null ? (
                  <NotProvided />
                ) : (
                  <ShortAmount amount={subtractDecimals('0' as DecimalText, creditUsed)} currency={currency} />
                )
              }
            />
            <Row
              name="Expected total"
              isSum
              comesTo={<ShortAmount amount={tieOut.comesTo} currency={currency} />}
              says={<ShortAmount amount={tieOut.total} currency={currency} />}
              difference={<Difference amount={tieOut.difference} currency={currency} />}
              outcome={<TotalOutcome invoice={invoice} />}
            />
            <Row name="Amount charged" comesTo={<NotProvided />} />
          </tbody>
        </table>
      </ScrollBox>
      <ComparedLines invoice={invoice} />
    </section>
  )
}

/** The lines that the platform removed from this invoice. */
function toRemovedLines({ serialNumber, connectionId }: InvoiceDetail): string {
  const query = { ...DEFAULT_LINE_QUERY, goneOnly: true, invoices: [serialNumber], connections: [connectionId] }
  return toListAddress({ list: 'lines', query })
}

/** The invoice's own verdict in one sentence, and why. */
function Headline({ invoice }: { invoice: InvoiceDetail }) {
  const { state, text } = describeInvoice(invoice.check, invoice.currency)
  return (
    <p className="my-1.5 text-[14px]">
      <VerdictText state={state}>
        {text.charAt(0).toUpperCase() + text.slice(1)}
        <Why state={state} invoice={invoice} />
      </VerdictText>
    </p>
  )
}

function Why({ state, invoice }: { state: State; invoice: InvoiceDetail }) {
  const { tieOut, currency, completeness, check } = invoice
  const reasons = tieOut.explained.flatMap(({ reason }) => (reason === 'rounding' ? [] : TIE_OUT_WORDS[reason]))
  const [worst] = check.findings.filter(({ code }) => stateOfInvoiceFinding(code) === state)
  if (state === 'explained') return <>: {reasons.join(', ')}</>
  if (state === 'not_imported') return isZeroDecimal(tieOut.unexplained) ? <>; ties out with it</> : null
  if (state === 'removed') return <>, in no total since</>
  if (worst !== undefined) return <>: {INVOICE_FINDING_DETAILS[worst.code]}</>
  if (state !== 'ties_out') return null
  const isRounded = tieOut.explained.length > 0
  return (
    <>
      : {plural(completeness.heldLineCount, 'line')} {completeness.heldLineCount === 1 ? 'comes' : 'come'} to{' '}
      <Amount amount={tieOut.total} currency={currency} withCode />
      {isRounded && (
        <span className="text-ink3">
          , <Amount amount={tieOut.comesTo} currency={currency} /> before rounding
        </span>
      )}
    </>
  )
}

/** The total alone: its difference, and what explains it. */
function TotalOutcome({ invoice: { tieOut } }: { invoice: InvoiceDetail }) {
  if (!isZeroDecimal(tieOut.unexplained)) return <VerdictText state="unexplained" />
  const reasons = tieOut.explained.map(({ reason }) => TIE_OUT_WORDS[reason])
  if (reasons.length === 0) return <VerdictText state="ties_out" />
  const isRounding = tieOut.explained.every(({ reason }) => reason === 'rounding')
  if (isRounding) return <VerdictText state="ties_out">ties out as rounded</VerdictText>
  return <VerdictText state="explained">explained: {reasons.join(', ')}</VerdictText>
}

const TAX_OUTCOMES: Record<TaxesCheck['outcome'], { state: State; text: string }> = {
  agrees: { state: 'ties_out', text: 'ties out' },
  explained: { state: 'explained', text: 'tax rounded per document' },
  differs: { state: 'unexplained', text: 'unexplained' },
  not_provided: { state: 'note', text: 'not provided' },
}

type NamedBelow = { state: State; text: string }

/** What the rows below name, where it is why a regime differs; else null. */
function toNamedBelow({ tieOut }: InvoiceDetail): NamedBelow | null {
  if (!isZeroDecimal(tieOut.unexplained)) return null
  if (tieOut.notImported.lineCount > 0)
    return {
      state: 'not_imported',
      text:
        tieOut.notImported.lineCount === 1
          ? 'missing the line that was not imported'
          : 'missing the lines that were not imported',
    }
  return tieOut.explained.some(({ reason }) => reason === 'removed_line')
    ? { state: 'explained', text: 'includes the removed lines' }
    : null
}

type TaxesRowProps = { group: TaxesCheck; currency: string; namedBelow: NamedBelow | null }

function TaxesRow({ group, currency, namedBelow }: TaxesRowProps) {
  const rate = group.taxPercentage === null ? 'rate not provided' : `${formatNumber(group.taxPercentage)}%`
  const { state, text } = group.outcome === 'differs' && namedBelow !== null ? namedBelow : TAX_OUTCOMES[group.outcome]
  const figure = (amount: DecimalText) => <ShortAmount amount={amount} currency={currency} />
  const isTaxOnly = isZeroDecimal(group.difference ?? ('0' as DecimalText)) && group.taxDifference !== null
  return (
    <Row
      name={`${group.taxRegime ?? 'Taxes'} ${rate} · ${plural(group.lineCount, 'line')}`}
      net={figure(subtractDecimals(group.held, group.heldTax))}
      tax={figure(group.heldTax)}
      comesTo={figure(group.held)}
      statedTax={group.statedTax === null ? <NotProvided /> : figure(group.statedTax)}
      says={group.stated === null ? <NotProvided /> : figure(group.stated)}
      difference={group.difference !== null && <Difference amount={group.difference} currency={currency} />}
      outcome={
        <VerdictText state={state}>
          {text}
          {isTaxOnly && group.taxDifference !== null && !isZeroDecimal(group.taxDifference) && (
            <>
              {' '}
              (tax <Amount amount={group.taxDifference} currency={currency} signed />)
            </>
          )}
        </VerdictText>
      }
    />
  )
}

function Difference({ amount, currency }: { amount: DecimalText; currency: string }) {
  return isZeroDecimal(amount) ? (
    <span className="text-ink3">—</span>
  ) : (
    <Amount amount={amount} currency={currency} signed />
  )
}

function NotProvided() {
  return <span className="text-ink3">not provided</span>
}

/** The invoice states another number of lines than are here, imported or not. */
function toMissing({ stated, held }: Completeness['count']): string {
  const missing = (stated ?? held) - held
  return missing > 0 ? `${formatCount(missing)} missing` : `${formatCount(-missing)} more than stated`
}

function Head({ isFigure = false, children }: { isFigure?: boolean; children: string }) {
  return (
    <th scope="col" className={`cell-head static ${isFigure ? 'text-right' : ''}`}>
      {children}
    </th>
  )
}

/** The columns with figures; on a phone each figure says its own. */
const COLUMNS = {
  net: 'Net',
  tax: 'Tax',
  comesTo: 'Total of lines',
  statedTax: 'Tax stated',
  says: 'Stated on invoice',
  difference: 'Difference',
}

type RowProps = {
  name: ReactNode
  /** A sum of the rows above. */
  isSum?: boolean
  net?: ReactNode
  tax?: ReactNode
  comesTo: ReactNode
  statedTax?: ReactNode
  says?: ReactNode
  difference?: ReactNode
  outcome?: ReactNode
}

function Row({ name, isSum = false, net, tax, comesTo, statedTax, says, difference, outcome }: RowProps) {
  return (
    <tr className={isSum ? 'font-semibold' : ''}>
      <th scope="row" className={`cell text-left ${isSum ? 'font-semibold' : 'pl-3! font-normal'}`}>
        <bdi>{name}</bdi>
      </th>
      {Object.entries({ net, tax, comesTo, statedTax, says, difference }).map(([column, figure]) => (
        <td
          key={column}
          data-name={COLUMNS[column as keyof typeof COLUMNS]}
          data-none={figure ? undefined : ''}
          className="cell text-right"
        >
          {figure}
        </td>
      ))}
      <td data-none={outcome ? undefined : ''} className="cell font-normal">
        {outcome}
      </td>
    </tr>
  )
}
