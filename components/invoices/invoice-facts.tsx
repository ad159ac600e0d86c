import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'

/**
 * The invoice's own figures beside the sums of its lines. A missing figure reads "not provided".
 */
export function InvoiceFigures({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <dl className="flex flex-wrap border-y bg-panel">
      <Figure name="Invoice total">
        <Amount amount={invoice.total} currency={invoice.currency} withCode />
      </Figure>
      <Figure name="Credit used">
        {invoice.creditUsed === null ? (
          <span className="font-normal text-[13px] text-ink3">not provided</span>
        ) : (
          <Amount amount={invoice.creditUsed} currency={invoice.currency} withCode />
        )}
      </Figure>
      <Figure name={`Sum of its ${formatCount(invoice.lineCount)} lines`}>
        {invoice.lineTotal === null ? (
          <span className="font-normal text-[13px] text-ink3">no line</span>
        ) : (
          <Amount amount={invoice.lineTotal} currency={invoice.currency} withCode />
        )}
      </Figure>
      <Figure name="Findings">
        {invoice.findingCount === 0 ? (
          <span className="font-normal text-[13px] text-ink2">none</span>
        ) : (
          <span className="flex items-center gap-1.5 text-bad">
            <Mark kind="failed" />
            {formatCount(invoice.findingCount)}
          </span>
        )}
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
    ['Status', invoice.status],
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
