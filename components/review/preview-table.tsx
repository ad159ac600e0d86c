import { Amount } from '#components/figures/amount.tsx'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { plural } from '#components/text/plural.ts'
import type { DecisionPreview, OutcomePart, SetTotal } from '#lib/ledger/model.ts'
import { formatAmount, formatCount } from '#lib/reconcile/format.ts'
import type { InvoiceFindingCode } from '#lib/reconcile/invoice-finding.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { CONVENTION_WORDS } from '#lib/reconcile/reasons/words.ts'
import type { DecisionKind } from '#lib/reconcile/review/review-state.ts'
import { REVIEW_LOOKS } from './review-looks.ts'
import { ReviewText } from './review-text.tsx'

const HEADS = { changes: 'Will change', already: 'Already so', cannot: 'Cannot' } as const

/** Three parts side by side: what changes, what is so already, what cannot be done and why. */
export function PreviewTable({ preview, kind }: { preview: DecisionPreview; kind: DecisionKind }) {
  return (
    <>
      <div className="decision-parts">
        {(['changes', 'already', 'cannot'] as const).map((outcome) => (
          <Part
            key={outcome}
            title={HEADS[outcome]}
            parts={preview.parts.filter((part) => part.outcome === outcome)}
            isWhy={outcome !== 'changes'}
            of={preview.of}
            kind={kind}
          />
        ))}
      </div>
      {preview.reasons.length > 0 && <Reasons preview={preview} />}
    </>
  )
}

type PartProps = {
  title: string
  parts: OutcomePart[]
  isWhy: boolean
  of: DecisionPreview['of']
  kind: DecisionKind
}

function Part({ title, parts, isWhy, of, kind }: PartProps) {
  const totals = addTotals(parts)
  return (
    <section aria-label={title} className={parts.length === 0 ? 'is-empty' : undefined}>
      <h3>
        {title} <b>{formatCount(totals.reduce((sum, { lineCount }) => sum + lineCount, 0))}</b>
      </h3>
      <ul>
        {totals.map(({ currency, lineCount, totalAmount }) => (
          <li key={currency}>
            <span>{currency}</span> <span>{plural(lineCount, of)}</span>{' '}
            <span className="figure">
              <ShortAmount amount={totalAmount} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
      {isWhy &&
        parts.map(({ state, since }) => (
          <p key={state} className="decision-why">
            {kind === 'undo' && state === 'open' ? 'Nobody’s any more' : <ReviewText state={state} />}
            {of === 'invoice' && kind !== 'undo' && state === 'open' && ', and nothing is wrong with it'}
            {since.length > 0 && ` by ${since.map(({ name }) => name).join(', ')}`}
          </p>
        ))}
      {!isWhy && parts.some(({ state }) => state !== 'open') && kind !== 'undo' && (
        <p className="decision-why">
          now{' '}
          {parts
            .map(({ state }) => REVIEW_LOOKS[state].word)
            .sort()
            .join(', ')}
        </p>
      )}
    </section>
  )
}

/** What explains the lines that change; money that nothing does stands by itself. */
function Reasons({ preview: { reasons, of } }: { preview: DecisionPreview }) {
  const currencies = [...new Set(reasons.flatMap(({ totals }) => totals.map(({ currency }) => currency)))].sort()
  return (
    <table className="decision-reasons">
      <thead>
        <tr>
          <th scope="col">{of === 'line' ? 'What explains them' : 'What is found'}</th>
          <th scope="col">{of === 'line' ? 'Lines' : 'Invoices'}</th>
          {currencies.map((currency) => (
            <th key={currency} scope="col">
              {currency}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ lineState, reason, totals }) => (
          <tr key={`${lineState} ${reason}`}>
            <th scope="row">{of === 'line' ? toReason(lineState, reason) : toFinding(reason)}</th>
            <td>{formatCount(totals.reduce((sum, { lineCount }) => sum + lineCount, 0))}</td>
            {currencies.map((currency) => {
              const total = totals.find((each) => each.currency === currency)
              return (
                <td key={currency}>
                  {total && <Amount amount={total.difference} currency={currency} signed={of === 'line'} />}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function toReason(lineState: string, reason: string | null): string {
  if (lineState === 'unexplained') return 'nothing: unexplained'
  if (reason === null) return 'no money in it'
  return Object.hasOwn(CONVENTION_WORDS, reason) ? CONVENTION_WORDS[reason as keyof typeof CONVENTION_WORDS] : reason
}

function toFinding(code: string | null): string {
  return code === null ? 'nothing any more' : (INVOICE_FINDING_LABELS[code as InvoiceFindingCode] ?? code)
}

function addTotals(parts: readonly OutcomePart[]): SetTotal[] {
  const totals = parts.flatMap((part) => part.totals)
  return [...new Set(totals.map(({ currency }) => currency))].sort().map((currency) => {
    const own = totals.filter((total) => total.currency === currency)
    return {
      currency,
      lineCount: own.reduce((sum, { lineCount }) => sum + lineCount, 0),
      totalAmount: sumDecimals(own.map(({ totalAmount }) => totalAmount)),
      difference: sumDecimals(own.map(({ difference }) => difference)),
    }
  })
}

/** The money of the lines that change: `EUR 2,310.44 · GBP 180.00`. */
export function toMoneyText({ parts }: DecisionPreview): string {
  return addTotals(parts.filter(({ outcome }) => outcome === 'changes'))
    .map(({ currency, totalAmount }) => `${currency} ${formatAmount(totalAmount, currency)}`)
    .join(' · ')
}
