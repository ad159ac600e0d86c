import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import type { CloseRow } from '#lib/ledger/close/close-table.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { CloseBar } from './close-bar.tsx'

/** How far the month of the page is closed, as on the page that closes it, where it leads. */
export function MonthClose({ row }: { row: CloseRow }) {
  return (
    <p className="month-close">
      <Link href={toAddress('/close', `until=${row.month}`)} className="text-accent hover:underline">
        Close of {formatMonth(row.month)}
      </Link>
      <CloseBar parts={row.byState} />
    </p>
  )
}
