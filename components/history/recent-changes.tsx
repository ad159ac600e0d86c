import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeSummary } from '#lib/ledger/model.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { toChangesAddress } from './change-filters.tsx'
import { Bridge } from './change-totals.tsx'

/** What the platform changed lately, and its effect per currency. */
export function RecentChanges({ changes }: { changes: ChangeSummary }) {
  const { totals, arrived } = changes
  const href = toChangesAddress({ ...DEFAULT_CHANGE_QUERY, since: changes.since })
  return (
    <section aria-labelledby="recent-changes">
      <h2 id="recent-changes" className="font-semibold text-[14px]">
        Last 7 days
      </h2>
      <ul className="mt-1 text-[13px]">
        {totals.map((total) => (
          <li key={total.currency} className="flex items-baseline justify-between gap-3 border-b py-1.5">
            <span>
              {total.lineCount + total.goneCount > 0 ? (
                <Bridge total={total} />
              ) : (
                `${total.currency} · ${plural(total.invoiceCount, 'invoice')} changed`
              )}
            </span>
            <Link href={href} className="hover:underline">
              <Amount amount={total.netEffect} currency={total.currency} signed />
            </Link>
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
        </li>
      </ul>
    </section>
  )
}
