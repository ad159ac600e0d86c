import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeList, ChangeTotal } from '#lib/ledger/model.ts'
import { compareDecimals, negateDecimal } from '#lib/reconcile/money.ts'
import { toGoneLines } from './gone-lines.ts'

/** The effect of the changes, one figure per currency, never across currencies. */
export function ChangeTotals({ list }: { list: ChangeList }) {
  return (
    <dl className="flex shrink-0 flex-wrap border-y bg-panel">
      {list.totals.map((total) => (
        <Figure key={total.currency} name={<Bridge total={total} />} note={toInvoiceNote(total)}>
          <Amount amount={total.netEffect} currency={total.currency} signed />
        </Figure>
      ))}
      <Figure name="Arrived" note={plural(list.arrived.invoices, 'invoice')}>
        {plural(list.arrived.lines, 'line')}
      </Figure>
    </dl>
  )
}

/** What the net effect is made of: `EUR · 2 lines changed +11.00 · 1 removed −77.50`. */
export function Bridge({ total }: { total: ChangeTotal }) {
  const { currency, lineCount, lineEffect, goneCount, goneAmount } = total
  return (
    <>
      {currency}
      {lineCount > 0 && (
        <>
          {' · '}
          {plural(lineCount, 'line')} changed <Amount amount={lineEffect} currency={currency} signed />
        </>
      )}
      {goneCount > 0 && (
        <>
          {' · '}
          <Link href={toGoneLines(currency)} className="underline decoration-line2 underline-offset-2">
            {goneCount} removed <Amount amount={negateDecimal(goneAmount)} currency={currency} signed />
          </Link>
        </>
      )}
    </>
  )
}

/** What the invoices say of themselves, where it is not what their lines come to. */
function toInvoiceNote({ currency, netEffect, invoiceCount, invoiceEffect }: ChangeTotal): ReactNode {
  if (invoiceCount === 0 || compareDecimals(netEffect, invoiceEffect) === 0) return null
  return (
    <>
      {plural(invoiceCount, 'invoice')} <Amount amount={invoiceEffect} currency={currency} signed />
    </>
  )
}

function Figure({ name, note, children }: { name: ReactNode; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-[180px] border-r px-5 py-2 max-md:w-1/2 max-md:min-w-0 max-md:px-4">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd className="font-medium text-[15px] tabular-nums">
        {children}
        {note && <span className="ml-2 font-normal text-[12px] text-ink3">{note}</span>}
      </dd>
    </div>
  )
}
