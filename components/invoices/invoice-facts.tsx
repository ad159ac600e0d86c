import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import { INVOICE_FINDING_LABELS } from '#components/tie-out/tie-out-words.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'
import { isZeroDecimal } from '#lib/reconcile/money.ts'
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

/** What the invoice says beside what it comes to, and everything that is wrong with it. */
export function InvoiceFigures({ invoice }: { invoice: InvoiceDetail }) {
  const { tieOut, check, findingCount, missingSince } = invoice
  if (missingSince !== null) return <RemovedFigures invoice={invoice} missingSince={missingSince} />
  const isExplained = !isZeroDecimal(tieOut.difference) && isZeroDecimal(tieOut.unexplained)
  const findings = [
    ...check.findings.map(({ code }) => INVOICE_FINDING_LABELS[code].toLowerCase()),
    ...(findingCount === 0 ? [] : [`${formatCount(findingCount)} of its lines`]),
  ]
  return (
    <dl className="flex flex-wrap border-y bg-panel">
      <Figure name="Stated on invoice">
        <Amount amount={invoice.total} currency={invoice.currency} withCode />
      </Figure>
      <Figure name="Expected total">
        <Amount amount={tieOut.comesTo} currency={invoice.currency} withCode />
      </Figure>
      <Figure name={isExplained ? 'Difference, explained' : 'Difference'}>
        <span className={isZeroDecimal(tieOut.difference) ? '' : isExplained ? 'text-warn' : 'text-bad'}>
          <Amount amount={tieOut.difference} currency={invoice.currency} signed withCode />
        </span>
      </Figure>
      <Figure name="Findings">
        {findings.length === 0 ? (
          <span className="font-normal text-[13px] text-ink2">
            {check.notes.length === 0
              ? 'none'
              : `only noted: ${check.notes.map(({ code }) => INVOICE_FINDING_LABELS[code].toLowerCase()).join(', ')}`}
          </span>
        ) : (
          <span className="flex items-center gap-1.5 text-bad">
            <Mark kind="failed" />
            {findings.join(', ')}
          </span>
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
        <span className="flex items-center gap-1.5">
          <Mark kind="held" />
          {describeRemoval(missingSince)}
        </span>
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
