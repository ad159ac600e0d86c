import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeSummary } from '#lib/ledger/model.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { toChangesAddress } from './change-filters.tsx'
import { GONE_LINES } from './gone-lines.ts'

/** What the platform changed lately, and its effect per currency. */
export function RecentChanges({ changes }: { changes: ChangeSummary }) {
  const { totals, arrived, goneLines } = changes
  const href = toChangesAddress({ ...DEFAULT_CHANGE_QUERY, since: changes.since })
  return (
    <section aria-labelledby="recent-changes">
      <h2 id="recent-changes" className="font-semibold text-[14px]">
        Last 7 days
      </h2>
      <ul className="mt-1 text-[13px]">
        {totals.map((total) => (
          <li key={total.currency} className="flex items-baseline justify-between gap-3 border-b py-1.5">
            <Link href={href} className="hover:underline">
              {total.lineCount > 0 ? plural(total.lineCount, 'line') : plural(total.invoiceCount, 'invoice')} changed
            </Link>
            <Amount amount={total.lineEffect} currency={total.currency} signed withCode />
          </li>
        ))}
        {totals.length === 0 && (
          <li className="border-b py-1.5 text-ink2">
            <Link href={href} className="hover:underline">
              No changes to existing records
            </Link>
          </li>
        )}
        <li className="border-b py-1.5 text-ink2">
          {plural(arrived.lines, 'line')} on {plural(arrived.invoices, 'invoice')} arrived
          {goneLines > 0 && (
            <>
              ,{' '}
              <Link href={GONE_LINES} className="hover:underline">
                {plural(goneLines, 'line')} gone from the platform
              </Link>
            </>
          )}
        </li>
      </ul>
    </section>
  )
}
