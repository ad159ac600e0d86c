import { describeConcern } from '#components/connections/concern-words.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { Amount } from '#components/figures/amount.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { FindingTotal } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import type { Need } from './needs-you.tsx'

/** Words for a finding, after the number of its lines. */
const FINDING_TITLES: Record<string, [one: string, many: string]> = {
  total: ['line does not add up', 'lines do not add up'],
  tax: ['line’s tax does not match its rate', 'lines’ tax does not match their rate'],
}

/**
 * What needs a person: findings by kind with the money in question, then the connections' concerns
 * at `now` (milliseconds), then records that could not be read.
 */
export function listNeeds(
  findings: FindingTotal[],
  connections: ConnectionSummary[],
  rejectedCount: number,
  now: number,
): Need[] {
  const codes = [...new Set(findings.map((finding) => finding.code))].sort((a, b) => rank(a) - rank(b))
  const needs = codes.map((code): Need => {
    const found = findings.filter((finding) => finding.code === code)
    const [one, many] = FINDING_TITLES[code] ?? [`line with finding ${code}`, `lines with finding ${code}`]
    const lineCount = found.reduce((count, finding) => count + finding.lineCount, 0)
    return {
      key: `finding ${code}`,
      mark: 'failed',
      title: plural(lineCount, one, many),
      detail: (
        <>
          {found.map(({ currency, difference }, index) => (
            <span key={currency}>
              {index > 0 && ' · '}
              {currency} <Amount amount={difference} currency={currency} />
            </span>
          ))}{' '}
          at stake
        </>
      ),
      href: toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, findingCodes: [code] } }),
      action: 'Show lines',
    }
  })
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

function rank(code: string): number {
  return code === 'total' ? 0 : code === 'tax' ? 1 : 2
}
