import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeList } from '#lib/ledger/model.ts'
import { GONE_LINES } from './gone-lines.ts'

/** The effect of the changes, one figure per currency, never across currencies. */
export function ChangeTotals({ list }: { list: ChangeList }) {
  return (
    <dl className="flex shrink-0 flex-wrap border-y bg-panel">
      {list.totals.map((total) => (
        <Figure
          key={total.currency}
          name={`${total.currency} · ${plural(total.lineCount, 'line')} · ${plural(total.invoiceCount, 'invoice')}`}
          note={
            total.lineEffect !== total.invoiceEffect && total.invoiceCount > 0 ? (
              <>
                invoices <Amount amount={total.invoiceEffect} currency={total.currency} signed />
              </>
            ) : null
          }
        >
          <Amount amount={total.lineEffect} currency={total.currency} signed />
        </Figure>
      ))}
      <Figure name="Arrived" note={plural(list.arrived.invoices, 'invoice')}>
        {plural(list.arrived.lines, 'line')}
      </Figure>
      <Figure name="Gone from the platform" note={null}>
        {list.goneLines === 0 ? (
          <span className="font-normal text-ink2">none</span>
        ) : (
          <Link href={GONE_LINES} className="hover:underline">
            {plural(list.goneLines, 'line')}
          </Link>
        )}
      </Figure>
    </dl>
  )
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
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
