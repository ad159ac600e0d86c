import { ShortAmount } from '#components/figures/short-amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeSummary } from '#lib/ledger/model.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { type Bridge, isQuiet, toNetChange } from '#lib/reconcile/bridge.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { negateDecimal } from '#lib/reconcile/money.ts'
import { toChangesAddress } from './change-filters.tsx'
import { toGoneLines } from './gone-lines.ts'

/** What happened to the lines of each currency, as the bridge of the list of changes. */
export function RecentChanges({ changes, title }: { changes: ChangeSummary; title: string }) {
  const { bridges, arrivedInvoices, since } = changes
  const href = toChangesAddress({ ...DEFAULT_CHANGE_QUERY, since })
  const moved = bridges.filter((bridge) => !isQuiet(bridge))
  return (
    <section aria-labelledby="recent-changes">
      <h2 id="recent-changes" className="font-semibold text-[14px]">
        {title}
      </h2>
      <p className="text-[12px] text-ink3 leading-4">From {formatDay(since)} on</p>
      <ul className="mt-1 text-[13px]">
        {moved.map((bridge) => (
          <li key={bridge.currency} className="flex items-baseline justify-between gap-3 border-b py-1.5">
            <span>
              {bridge.currency} <Steps bridge={bridge} />
            </span>
            <Link href={href} className="tabular-nums hover:underline">
              <ShortAmount amount={toNetChange(bridge)} currency={bridge.currency} signed />
            </Link>
          </li>
        ))}
        {moved.length === 0 && (
          <li className="border-b py-1.5 text-ink2">
            <Link href={href} className="hover:underline">
              No changes to existing lines
            </Link>
          </li>
        )}
        {arrivedInvoices > 0 && <li className="border-b py-1.5 text-ink2">{plural(arrivedInvoices, 'new invoice')}</li>}
      </ul>
    </section>
  )
}

/**
 * `· 64 new +18,204.11 · 2 changed +11.00 · 1 removed −77.50`; a single step without its amount,
 * which is the whole change. Where nothing stood before, the lines are no news: they are all.
 */
function Steps({ bridge: { currency, stood, arrived, changed, removed } }: { bridge: Bridge }) {
  const isOne = [arrived, changed, removed].filter(({ count }) => count > 0).length === 1
  return (
    <span className="text-ink2">
      {arrived.count > 0 && (
        <>
          · {stood.count === 0 ? `first import: ${plural(arrived.count, 'line')}` : plural(arrived.count, 'new line')}{' '}
          {!isOne && <ShortAmount amount={arrived.amount} currency={currency} signed />}{' '}
        </>
      )}
      {changed.count > 0 && (
        <>
          · {plural(changed.count, 'changed', 'changed')}{' '}
          {!isOne && <ShortAmount amount={changed.amount} currency={currency} signed />}{' '}
        </>
      )}
      {removed.count > 0 && (
        <>
          ·{' '}
          <Link href={toGoneLines(currency)} className="underline decoration-line2 underline-offset-2">
            {plural(removed.count, 'removed', 'removed')}{' '}
            {!isOne && <ShortAmount amount={negateDecimal(removed.amount)} currency={currency} signed />}
          </Link>
        </>
      )}
    </span>
  )
}
