import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toLineAddress } from '#components/lines/line-address.ts'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'

type RemovedLinesProps = { invoice: InvoiceDetail; now: number }

/** Lines that the platform removed from the invoice, struck: they are in none of its sums. */
export function RemovedLines({ invoice, now }: RemovedLinesProps) {
  const { connectionId, serialNumber, removedLines, tieOut } = invoice
  if (removedLines.length === 0) return null
  const more = tieOut.removed.lineCount - removedLines.length
  return (
    <section aria-labelledby="removed-lines" className="shrink-0 border-t px-5 py-3 max-md:px-4">
      <h2 id="removed-lines" className="flex items-center gap-2 font-medium text-[13px]">
        <VerdictMark state="removed" />
        Removed by the platform, in no total
      </h2>
      <ScrollBox label="Removed lines" className="mt-1 overflow-x-auto">
        <table aria-label="Removed lines" className="w-full border-separate border-spacing-0 text-[13px]">
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className="cell-head static pl-0 text-left">
                Line
              </th>
              <th scope="col" className="cell-head static text-left">
                Expense date
              </th>
              <th scope="col" className="cell-head static text-left">
                Removed
              </th>
              <th scope="col" className="cell-head static pr-0 text-right">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {removedLines.map((line) => (
              <tr key={line.id}>
                <td className="cell w-full max-w-0 truncate pl-0">
                  <Link href={toLineAddress(connectionId, serialNumber, line.id)} className="hover:underline">
                    <s>
                      <bdi>{line.description || 'Line without a description'}</bdi>
                    </s>
                  </Link>{' '}
                  <bdi className="text-[12px] text-ink3">{line.id}</bdi>
                </td>
                <td className="cell text-ink2 tabular-nums max-md:hidden">{formatDay(line.expenseDate)}</td>
                <td className="cell text-ink2">
                  <RelativeTime at={line.missingSince} now={now} />
                </td>
                <td className="cell pr-0 text-right tabular-nums">
                  <s>
                    <ShortAmount amount={line.totalAmount} currency={line.currency} />
                  </s>{' '}
                  <span className="text-[12px] text-ink3">{line.currency}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {more > 0 && <p className="mt-1 text-[12px] text-ink3">and {plural(more, 'further line')}</p>}
    </section>
  )
}
