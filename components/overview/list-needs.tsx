import { describeConcern } from '#components/connections/concern-words.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { Amount } from '#components/figures/amount.tsx'
import { GONE_LINES } from '#components/history/gone-lines.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { FindingTotal, GoneTotal, Overview } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { isZeroDecimal, type Money } from '#lib/reconcile/money.ts'
import type { Need } from './needs-you.tsx'

/** Words for lines with findings, after their number. */
const FINDING_TITLES: Record<FindingTotal['outcome'], [one: string, many: string]> = {
  unexplained: ['line does not add up, nothing explains why', 'lines do not add up, nothing explains why'],
  explained: ['line differs for a known reason', 'lines differ for known reasons'],
}

/**
 * What needs a person: lines that do not add up, with the money in question, then the connections'
 * concerns at `now` (milliseconds), then records that could not be read.
 */
export function listNeeds(
  { findings, gone, rejectedCount }: Pick<Overview, 'findings' | 'gone' | 'rejectedCount'>,
  connections: ConnectionSummary[],
  now: number,
): Need[] {
  const outcomes = (['unexplained', 'explained'] as const).filter((outcome) =>
    findings.some((f) => f.outcome === outcome),
  )
  const needs = outcomes.map((outcome): Need => {
    const found = findings.filter((finding) => finding.outcome === outcome)
    const lineCount = found.reduce((count, finding) => count + finding.lineCount, 0)
    return {
      key: `finding ${outcome}`,
      mark: outcome === 'unexplained' ? 'failed' : 'partial',
      title: plural(lineCount, ...FINDING_TITLES[outcome]),
      detail: <Charges found={found} />,
      href: toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, outcomes: [outcome] } }),
      action: 'Show lines',
    }
  })
  if (gone.length > 0) needs.push(toGoneNeed(gone))
  const concerned = connections.flatMap((connection) =>
    listConcerns(connection, now).map((concern) => ({ connection, concern })),
  )
  // the most urgent across all connections first
  for (const { connection, concern } of concerned.sort((a, b) => toUrgency([a.concern]) - toUrgency([b.concern]))) {
    const { title, brief } = describeConcern(concern, connection, now)
    needs.push({
      key: `${concern.code} ${connection.id}`,
      mark: concern.tone === 'bad' ? 'failed' : 'held',
      title: `${toAccountName(connection)}: ${title}`,
      detail: brief,
      href: `/connections/${connection.id}`,
      action: concern.code === 'link_ended' ? 'Reconnect' : 'Review',
    })
  }
  if (rejectedCount > 0)
    needs.push({
      key: 'rejected',
      mark: 'open',
      title: plural(rejectedCount, 'record could not be read', 'records could not be read'),
      detail: 'kept as received; not in any total',
      href: '/rejected',
      action: 'Review',
    })
  return needs
}

function toGoneNeed(gone: GoneTotal[]): Need {
  const lineCount = gone.reduce((count, each) => count + each.lineCount, 0)
  return {
    key: 'gone',
    mark: 'failed',
    title: plural(lineCount, 'line removed by the platform', 'lines removed by the platform'),
    detail: (
      <>
        <Sums sums={gone.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />, no longer in any
        total; noticed in the last 7 days
      </>
    ),
    href: GONE_LINES,
    action: 'Show lines',
  }
}

/** Too much and too little apart, per currency; what is zero is left out. */
function Charges({ found }: { found: FindingTotal[] }) {
  const sides = (['overcharged', 'undercharged'] as const).flatMap((side) => {
    const sums = found
      .map((each) => ({ currency: each.currency, amount: each[side] }))
      .filter(({ amount }) => !isZeroDecimal(amount))
    return sums.length === 0 ? [] : [{ side, sums }]
  })
  return sides.map(({ side, sums }, index) => (
    <span key={side}>
      {index > 0 && ', '}
      {side} <Sums sums={sums} />
    </span>
  ))
}

/** One figure per currency, side by side. */
function Sums({ sums }: { sums: Money[] }) {
  return sums.map(({ currency, amount }, index) => (
    <span key={currency}>
      {index > 0 && ' · '}
      {currency} <Amount amount={amount} currency={currency} />
    </span>
  ))
}
