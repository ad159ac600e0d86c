import { ComparisonText } from '#components/lines/comparison-text.tsx'
import { toLineAddress } from '#components/lines/line-address.ts'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Link } from '#components/query/link.client.tsx'
import { VerdictMark, VerdictText } from '#components/verdict/verdict-text.tsx'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { stateOfInvoiceFinding, worstOf } from '#lib/reconcile/verdict.ts'

/** Lines of the invoice that are a finding beside lines of others, with the way to these. */
export function ComparedLines({ invoice }: { invoice: InvoiceDetail }) {
  const { connectionId, serialNumber, comparedLines } = invoice
  if (comparedLines.length === 0) return null
  return (
    <section aria-labelledby="compared-lines" className="mt-3">
      <h3 id="compared-lines" className="flex items-center gap-2 font-medium text-[13px]">
        <VerdictMark state={worstOf(comparedLines.map(({ code }) => stateOfInvoiceFinding(code)))} />
        Compared with other invoices
      </h3>
      <ScrollBox label="Lines compared with other invoices" className="mt-1 overflow-x-auto">
        <table
          aria-label="Lines compared with other invoices"
          className="w-full border-separate border-spacing-0 text-[13px]"
        >
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className="cell-head static pl-0 text-left">
                Line
              </th>
              <th scope="col" className="cell-head static text-left">
                Expense date
              </th>
              <th scope="col" className="cell-head static pr-0 text-left">
                Finding
              </th>
            </tr>
          </thead>
          <tbody>
            {comparedLines.map((line) => (
              <tr key={`${line.code} ${line.id}`}>
                <td className="cell w-full whitespace-normal! py-1.5 pl-0 [overflow-wrap:anywhere]">
                  <Link href={toLineAddress(connectionId, serialNumber, line.id)} className="hover:underline">
                    <bdi>{line.description || 'Line without a description'}</bdi>
                  </Link>{' '}
                  <bdi className="text-[12px] text-ink3">{line.id}</bdi>
                </td>
                <td className="cell text-ink2 tabular-nums max-md:hidden">{formatDay(line.expenseDate)}</td>
                <td className="cell pr-0">
                  <VerdictText state={stateOfInvoiceFinding(line.code)}>
                    <ComparisonText comparison={line} connectionId={connectionId} />
                  </VerdictText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}
