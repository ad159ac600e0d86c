import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { plural } from '#components/text/plural.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import { describeFindings, describeInvoice } from '#components/verdict/verdict-words.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { isZeroDecimal } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { stateOf } from '#lib/reconcile/verdict.ts'
import { describeRemoval } from './describe-removal.ts'

/** Whose it is, since when, and its state. */
export function InvoiceScope({ invoice }: { invoice: InvoiceDetail }) {
  const { profileName, issuingDate, status, missingSince } = invoice
  const state = missingSince === null ? status : describeRemoval(missingSince)
  return (
    <>
      <bdi>{profileName ?? 'Unknown profile'}</bdi>
      {issuingDate && ` · issued ${formatDay(issuingDate)}`}
      {state && ` · ${state}`}
    </>
  )
}

/** What the invoice states beside what is expected, its own verdict, and the worst of its lines. */
export function InvoiceFigures({ invoice }: { invoice: InvoiceDetail }) {
  const { tieOut, check, currency, findingCount, lineStates, missingSince } = invoice
  if (missingSince !== null) return <RemovedFigures invoice={invoice} missingSince={missingSince} />
  const { state, text } = describeInvoice(check, currency)
  const others = check.findings.slice(1).map(({ code }) => INVOICE_FINDING_LABELS[code].toLowerCase())
  return (
    <dl className="flex flex-wrap border-y bg-panel">
      <Figure name="Stated on invoice">
        <Amount amount={invoice.total} currency={currency} withCode />
      </Figure>
      <Figure name="Expected total">
        <Amount amount={tieOut.comesTo} currency={currency} withCode />
      </Figure>
      <Figure name="Tie-out">
        <VerdictText state={state}>{[text, ...others].join(', ')}</VerdictText>
      </Figure>
      {!isZeroDecimal(tieOut.difference) && (
        <Figure name="Difference">
          <span className={STATE_LOOKS[state].tone}>
            <Amount amount={tieOut.difference} currency={currency} signed withCode />
          </span>
        </Figure>
      )}
      <Figure name="Lines">
        {findingCount === 0 ? (
          <VerdictText state="ties_out" />
        ) : (
          <VerdictText state={stateOf({ parts: lineStates })}>{describeFindings(findingCount, lineStates)}</VerdictText>
        )}
      </Figure>
    </dl>
  )
}

/** What the platform took back: in no total any more, so nothing of it can differ. */
function RemovedFigures({ invoice, missingSince }: { invoice: InvoiceDetail; missingSince: string }) {
  const { total, currency, tieOut } = invoice
  return (
    <dl className="flex flex-wrap border-y bg-panel">
      <Figure name="State">
        <VerdictText state={stateOf({ invoice: invoice.check })}>{describeRemoval(missingSince)}</VerdictText>
      </Figure>
      <Figure name="Invoice said, in no total since">
        <s>
          <Amount amount={total} currency={currency} withCode />
        </s>
      </Figure>
      <Figure name="Lines removed with it">
        <s>
          {plural(tieOut.removed.lineCount, 'line')},{' '}
          <Amount amount={tieOut.removed.amount} currency={currency} withCode />
        </s>
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-[180px] border-r px-5 py-2 max-md:w-1/2 max-md:min-w-0 max-md:px-4">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd className="font-medium text-[15px]">{children}</dd>
    </div>
  )
}

export function InvoiceFacts({ invoice }: { invoice: InvoiceDetail }) {
  const day = (value: InvoiceDetail['dueDate']) => value && formatDay(value)
  const facts: [name: string, value: string | null][] = [
    ['Profile', invoice.profileName],
    ['Legal name', invoice.legalName],
    [invoice.missingSince === null ? 'Status' : 'Last status', invoice.status],
    ['Mode', invoice.mode],
    ['Issued', day(invoice.issuingDate)],
    ['Due', day(invoice.dueDate)],
    ['Period', [day(invoice.fromDate), day(invoice.toDate)].filter(Boolean).join(' to ') || null],
    ['Billing', invoice.billingPeriod],
    ['Reference', invoice.reference],
    ['Connection', invoice.connectionName],
  ]
  return (
    <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink3">{name}</dt>
          <dd className="truncate" title={value ?? undefined}>
            {value === null || value === '' ? <Unknown /> : <bdi dir="auto">{value}</bdi>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
