import { Step } from '#components/figures/step.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import type { ChangeQuery } from '#lib/ledger/query/history-query.ts'
import { DEFAULT_LINE_QUERY, type LineQuery } from '#lib/ledger/query/line-query.ts'
import { toSeenFilter } from '#lib/ledger/query/seen-filter.ts'
import type { Bridge, LineSum } from '#lib/reconcile/bridge.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { toChangesAddress } from './change-filters.tsx'

type BridgeTableProps = { bridges: readonly Bridge[]; since: Day; query: ChangeQuery }

/**
 * What stood on the first day + arrived + changed - removed = now, one row per currency, never
 * across two. Each figure leads to what it is made of.
 */
export function BridgeTable({ bridges, since, query }: BridgeTableProps) {
  if (bridges.length === 0) return null
  const stood = `On ${formatDay(since)}`
  return (
    <ScrollBox label="Bridge" className="tie-out bridge shrink-0 overflow-x-auto border-y bg-panel">
      <table aria-label="Bridge" className="w-full border-separate border-spacing-0 text-[13px] tabular-nums">
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">{stood}</th>
            <th scope="col">Arrived</th>
            <th scope="col">Changed</th>
            <th scope="col">Removed</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {bridges.map((bridge) => (
            <BridgeRow key={bridge.currency} bridge={bridge} since={since} query={query} stood={stood} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

type BridgeRowProps = { bridge: Bridge; since: Day; query: ChangeQuery; stood: string }

function BridgeRow({ bridge, since, query, stood }: BridgeRowProps) {
  const { currency } = bridge
  const toLines = (change: Partial<LineQuery>) =>
    toListAddress({
      list: 'lines',
      query: { ...DEFAULT_LINE_QUERY, currencies: [currency], connections: query.connections, ...change },
    })
  const step = ({ count, amount }: LineSum) => ({
    amount: count === 0 ? null : amount,
    note: count === 0 ? null : plural(count, 'line'),
    currency,
  })
  return (
    <tr>
      <th scope="row">
        <span className="font-semibold">{currency}</span>
      </th>
      <Step name={stood} {...step(bridge.stood)} href={toLines({ seen: [toSeenFilter('before', since)] })} />
      <Step
        name="Arrived"
        sign="+"
        {...step(bridge.arrived)}
        href={toLines({ seen: [toSeenFilter('since', since)] })}
      />
      <Step
        name="Changed"
        sign="+"
        {...step(bridge.changed)}
        href={toChangesAddress({ ...query, moneyOnly: true, page: 1 })}
      />
      <Step name="Removed" sign="−" {...step(bridge.removed)} href={toLines({ goneOnly: true })} />
      <Step name="Now" sign="=" {...step(bridge.now)} look="font-semibold" href={toLines({})} />
    </tr>
  )
}
