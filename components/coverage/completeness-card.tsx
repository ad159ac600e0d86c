import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { plural } from '#components/text/plural.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import type { Completeness, Outcome, TaxesCheck } from '#lib/reconcile/completeness.ts'
import { formatCount, formatNumber } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

/** What is held of an invoice beside what the invoice states, check by check. */
export function CompletenessCard({ invoice }: { invoice: InvoiceDetail }) {
  const { completeness, currency } = invoice
  const { count, total, taxes } = completeness
  return (
    <section aria-labelledby="completeness" className="min-w-0">
      <h2 id="completeness" className="font-medium text-[12px] text-ink3">
        Completeness
      </h2>
      <Headline completeness={completeness} currency={currency} />
      <ScrollBox label="Checks of completeness" className="overflow-x-auto">
        <table className="w-full border-separate border-spacing-0 text-[13px] tabular-nums [&_tr>*:first-child]:pl-0 [&_tr>*:last-child]:pr-0">
          <thead>
            <tr>
              {['Check', 'Invoice says', 'Held', 'Difference', 'Outcome'].map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`cell-head static ${index > 0 && index < 4 ? 'text-right' : ''} ${index === 4 ? 'max-md:hidden' : ''}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <CheckRow
              name="Lines"
              stated={count.stated === null ? null : formatCount(count.stated)}
              held={formatCount(count.held)}
              note={toCountNote(completeness)}
              difference={
                count.stated === null || count.stated === count.held
                  ? null
                  : formatDifference(count.stated - count.held)
              }
              outcome={count.outcome}
            />
            <CheckRow
              name="Total"
              stated={<Amount amount={total.stated} currency={currency} />}
              held={<Amount amount={total.held} currency={currency} />}
              difference={<Difference amount={total.difference} currency={currency} />}
              outcome={total.outcome}
              note={
                total.outcome === 'explained'
                  ? 'credit used explains it'
                  : total.creditUsed === null
                    ? 'credit used not provided'
                    : null
              }
            />
            {taxes.groups.length === 0 ? (
              <CheckRow name="Taxes" stated={null} held={null} difference={null} outcome="not_provided" note={null} />
            ) : (
              taxes.groups.map((group) => (
                <TaxesRow key={`${group.taxRegime} ${group.taxPercentage}`} group={group} currency={currency} />
              ))
            )}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}

function Headline({ completeness, currency }: { completeness: Completeness; currency: string }) {
  const { verdict, total, count, heldLineCount, rejectedLineCount } = completeness
  const figure = <Amount amount={total.difference} currency={currency} signed withCode />
  const rejected =
    rejectedLineCount > 0 &&
    `${plural(rejectedLineCount, 'line')} could not be read and ${rejectedLineCount === 1 ? 'is' : 'are'} not in any sum`
  const look = {
    complete: {
      mark: null,
      text: (
        <>
          Complete: {plural(heldLineCount, 'line')} {heldLineCount === 1 ? 'comes' : 'come'} to{' '}
          <Amount amount={total.stated} currency={currency} withCode />
        </>
      ),
    },
    explained: { mark: 'partial', text: <>Differs by {figure}: exactly the credit that was used</> },
    differs: {
      mark: 'failed',
      text: /[1-9]/.test(total.difference) ? (
        <>
          Differs by {figure}: {rejected || 'nothing explains it'}
        </>
      ) : (
        <>The total agrees, but {rejected || 'its parts do not'}</>
      ),
    },
    lines_missing: {
      mark: 'failed',
      text:
        count.stated === null ? (
          <>None of its lines is held</>
        ) : (
          <>
            {plural(count.stated - count.held, 'line')} of {formatCount(count.stated)} missing
          </>
        ),
    },
    not_provided: { mark: 'open', text: <>The invoice states nothing that could be checked</> },
  } as const
  const { mark, text } = look[verdict]
  return (
    <p className="my-1.5 flex items-baseline gap-2 text-[14px]">
      {mark && <Mark kind={mark} />}
      <span>{text}</span>
    </p>
  )
}

function TaxesRow({ group, currency }: { group: TaxesCheck; currency: string }) {
  const rate = group.taxPercentage === null ? 'rate not provided' : `${formatNumber(group.taxPercentage)} %`
  const isTaxOff = group.taxDifference !== null && /[1-9]/.test(group.taxDifference)
  return (
    <CheckRow
      name={`${group.taxRegime ?? 'Taxes'} ${rate}`}
      stated={group.stated === null ? null : <Amount amount={group.stated} currency={currency} />}
      held={<Amount amount={group.held} currency={currency} />}
      difference={group.difference === null ? null : <Difference amount={group.difference} currency={currency} />}
      outcome={group.outcome}
      note={
        isTaxOff ? (
          <>
            tax <Amount amount={group.taxDifference as DecimalText} currency={currency} signed />
            {group.outcome === 'explained' && ', rounding per line explains it'}
          </>
        ) : null
      }
    />
  )
}

type CheckRowProps = {
  name: string
  /** Null when the invoice does not say. */
  stated: ReactNode
  held: ReactNode
  difference: ReactNode
  outcome: Outcome
  note: ReactNode
}

function CheckRow({ name, stated, held, difference, outcome, note }: CheckRowProps) {
  // on a phone the outcome goes under the name: its own column would be off screen
  const said = (
    <>
      <OutcomeText outcome={outcome} />
      {note && <span className="ml-2 text-[12px] text-ink3 max-md:ml-0 max-md:block">{note}</span>}
    </>
  )
  return (
    <tr>
      <th scope="row" className="cell text-left font-normal max-md:whitespace-normal max-md:py-1">
        <bdi>{name}</bdi>
        <span className="block md:hidden">{said}</span>
      </th>
      <td className="cell text-right">{stated ?? <span className="text-ink3">not provided</span>}</td>
      <td className="cell text-right">{held}</td>
      <td className="cell text-right">{difference}</td>
      <td className="cell max-md:hidden">{said}</td>
    </tr>
  )
}

const OUTCOMES = {
  agrees: { mark: null, text: 'agrees', tone: 'text-ink2' },
  explained: { mark: 'partial', text: 'explained', tone: 'text-warn' },
  differs: { mark: 'failed', text: 'differs', tone: 'text-bad' },
  not_provided: { mark: 'open', text: 'not provided', tone: 'text-ink3' },
} as const

function OutcomeText({ outcome }: { outcome: Outcome }) {
  const { mark, text, tone } = OUTCOMES[outcome]
  return (
    <span className={`inline-flex items-center gap-1.5 ${tone}`}>
      {mark && <Mark kind={mark} />}
      {text}
    </span>
  )
}

function Difference({ amount, currency }: { amount: DecimalText; currency: string }) {
  return /[1-9]/.test(amount) ? <Amount amount={amount} currency={currency} signed /> : null
}

function toCountNote({ heldLineCount, rejectedLineCount, otherCurrencyLineCount }: Completeness): string | null {
  const parts = [
    rejectedLineCount > 0 ? `${formatCount(rejectedLineCount)} rejected` : null,
    otherCurrencyLineCount > 0 ? `${formatCount(otherCurrencyLineCount)} in another currency` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : `${formatCount(heldLineCount)} read, ${parts.join(', ')}`
}

function formatDifference(count: number): string {
  return count > 0 ? `+${formatCount(count)}` : formatCount(count)
}
