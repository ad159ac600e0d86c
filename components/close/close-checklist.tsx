import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { Check } from '#components/primitives/icons.tsx'
import { Mark, type MarkKind } from '#components/primitives/mark.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import type { CurrencyTieOut } from '#lib/ledger/model.ts'
import { formatAmount, formatCount } from '#lib/reconcile/format.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import { toPeriodSearch } from './close-words.ts'

/** What has to hold before a month is signed, each with its figure, and whether it does. */
export function CloseChecklist({ period }: { period: ClosePeriod }) {
  const { tieOut } = period
  return (
    <section aria-labelledby="close-checklist">
      <h3 id="close-checklist">
        Checklist <small>as it is now</small>
      </h3>
      <ul className="close-list">
        <Coverage {...period} />
        {tieOut.map((each) => (
          <TiesOut key={each.currency} tieOut={each} />
        ))}
        <Findings {...period} />
        <Disputes {...period} />
        {tieOut.map((each) => (
          <NotImported key={each.currency} tieOut={each} period={period} />
        ))}
        <Residuals {...period} />
      </ul>
    </section>
  )
}

type ItemProps = { mark: MarkKind | 'done'; title: ReactNode; figure: ReactNode; children?: ReactNode }

function Item({ mark, title, figure, children }: ItemProps) {
  return (
    <li>
      {mark === 'done' ? <Check size={12} className="text-good" /> : <Mark kind={mark} />}
      <span>{title}</span>
      <span className="figure">{figure}</span>
      {children !== undefined && <p>{children}</p>}
    </li>
  )
}

function Coverage({ cell, verifiedAt }: ClosePeriod) {
  const { invoiceCount, incompleteCount } = cell
  const isComplete = incompleteCount === 0 && verifiedAt !== null
  return (
    <Item
      mark={isComplete ? 'done' : incompleteCount > 0 ? 'failed' : 'open'}
      title={isComplete ? 'Coverage complete' : incompleteCount > 0 ? 'Lines are missing' : 'Not read completely'}
      figure={`${formatCount(invoiceCount - incompleteCount)} of ${plural(invoiceCount, 'invoice')}`}
    >
      {verifiedAt === null
        ? 'The month was never read as a whole.'
        : `The month was read as a whole on ${formatDayOf(verifiedAt)}.`}
    </Item>
  )
}

const isZero = (amount: DecimalText) => !/[1-9]/.test(amount)

function TiesOut({ tieOut }: { tieOut: CurrencyTieOut }) {
  const { currency, lines, notImported, creditUsed, invoices, difference, explained, unexplained } = tieOut
  const isTied = isZero(unexplained)
  // what is only rounded ties out, as everywhere
  const hasReason = explained.some(({ reason }) => reason !== 'rounding')
  const figure = (amount: DecimalText) => <ShortAmount amount={amount} currency={currency} />
  return (
    <Item
      mark={isTied ? (hasReason ? 'partial' : 'done') : 'failed'}
      title={isTied ? 'Ties out' : 'Does not tie out'}
      figure={
        <>
          residual {figure(unexplained)} {currency}
        </>
      }
    >
      lines {figure(lines.amount)}
      {notImported.count > 0 && <> + not imported {figure(notImported.amount)}</>}
      {!isZero(creditUsed.amount) && <> − credit used {figure(creditUsed.amount)}</>}
      {!isZero(difference) && (
        <>
          {' '}
          {difference.startsWith('-') ? '−' : '+'} {hasReason || !isTied ? 'difference' : 'rounding'}{' '}
          {figure(toSize(difference))}
        </>
      )}{' '}
      = invoices {figure(invoices.amount)}
    </Item>
  )
}

function toSize(amount: DecimalText): DecimalText {
  return (amount.startsWith('-') ? amount.slice(1) : amount) as DecimalText
}

function Findings({ scope, cell: { findings, undecided, worst } }: ClosePeriod) {
  const count = (...states: (keyof typeof findings)[]) => states.reduce((sum, state) => sum + (findings[state] ?? 0), 0)
  const all = count('open', 'accepted', 'disputed', 'settled', 'suspended')
  const parts = (['accepted', 'disputed', 'settled'] as const).flatMap((state) =>
    count(state) === 0 ? [] : `${formatCount(count(state))} ${state}`,
  )
  const tab = (findings.open ?? 0) === 0 ? ([['tab', 'suspended']] as const) : []
  const waiting = toAddress('/review', toPeriodSearch(scope, tab))
  return (
    <li>
      {undecided === 0 ? <Check size={12} className="text-good" /> : <VerdictMark state={worst} />}
      <span>
        {undecided === 0 ? (
          'Findings decided'
        ) : (
          <Link href={waiting} className="text-accent hover:underline">
            {plural(undecided, 'finding')} to decide
          </Link>
        )}
      </span>
      <span className="figure">
        {formatCount(all - count(...UNDECIDED))} of {formatCount(all)}
      </span>
      {parts.length > 0 && <p>{parts.join(', ')}</p>}
    </li>
  )
}

function Disputes({ scope, disputes }: ClosePeriod) {
  const count = disputes.reduce((sum, { lineCount }) => sum + lineCount, 0)
  if (count === 0) return null
  return (
    <Item
      mark="flag"
      title={
        <Link
          href={toAddress('/review', toPeriodSearch(scope, [['tab', 'disputed']]))}
          className="text-accent hover:underline"
        >
          {plural(count, 'dispute')} open
        </Link>
      }
      figure={`${disputes.map(({ expected, currency }) => `${formatAmount(expected, currency)} ${currency}`).join(', ')} expected back`}
    />
  )
}

function NotImported({ tieOut: { currency, notImported }, period }: { tieOut: CurrencyTieOut; period: ClosePeriod }) {
  if (notImported.count === 0) return null
  return (
    <Item
      mark="not-imported"
      title={
        <Link
          href={toAddress('/rejected', `connection=${period.scope.connectionId}`)}
          className="text-accent hover:underline"
        >
          {plural(notImported.count, 'record')} not imported
        </Link>
      }
      figure={`${formatAmount(notImported.amount, currency)} ${currency}`}
    >
      {notImported.unknownCount > 0
        ? `${plural(notImported.unknownCount, 'record')} without a readable amount`
        : undefined}
    </Item>
  )
}

/** What was accepted undecided, with why: shown for ever. */
function Residuals({ cell: { standing } }: ClosePeriod) {
  const signed = standing.approved ?? standing.prepared
  return signed?.residuals.map(({ currency, amount, reason, note, by }) => (
    <Item
      key={currency}
      mark="partial"
      title="Accepted as residual"
      figure={`${formatAmount(amount, currency)} ${currency}`}
    >
      by <bdi>{by}</bdi>, {formatDayOf(signed.at)}: <bdi>{reason}</bdi>
      {note !== null && (
        <>
          {' '}
          <q>
            <bdi>{note}</bdi>
          </q>
        </>
      )}
    </Item>
  ))
}
