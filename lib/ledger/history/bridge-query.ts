import type { OrganizationId } from '#lib/ids.ts'
import { type Bridge, type Effect, toBridge } from '#lib/reconcile/bridge.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { joinConditions, type SqlParameters, toConnectionCondition } from '../sql/sql-parameters.ts'

/** One figure of one currency's bridge. */
export type BridgePart = Effect & {
  currency: string
  figure: 'now' | 'seen' | 'changed' | 'changed_of_seen' | 'removed'
}

/**
 * Changes of lines as amounts that leave or join a currency, from `changed`. For a common table
 * beside it; `since` is the placeholder of a moment.
 */
export function toMoves(since: string): string {
  return `
    moves as (
      select x.connection_id, x.line_id, e.currency, e.moved, e.amount, l.first_seen_at >= ${since} as is_seen
      from changed x
      join line l on l.organization_id = $1::uuid and l.connection_id = x.connection_id and l.id = x.line_id
      cross join lateral (
        select x.currency, 0 as moved, x.effect as amount where x.currency = x.next_currency
        union all select x.currency, -1, -x.amount where x.currency <> x.next_currency
        union all select x.next_currency, 1, x.next_amount where x.currency <> x.next_currency) e
      where x.kind = 'line' and (x.effect <> 0 or x.currency <> x.next_currency))`
}

/**
 * SQL for the parts of every currency's bridge since a moment, beside `changed` and `moves`. Sums
 * of whole connections come from the roll-ups: all lines of a connection made since were first seen
 * since. `hasOlder`: there are connections from before, whose lines are looked at themselves.
 */
export function toBridgeQuery(
  organizationId: OrganizationId,
  since: string,
  connections: readonly string[],
  hasOlder: boolean,
  parameters: SqlParameters,
): string {
  const filters = { ...DEFAULT_LINE_QUERY, connections: [...connections] }
  const source = chooseLineSource(filters, [])
  const held = `${source.from} where ${toLineConditions(organizationId, filters, parameters, source)}`
  const stored = `line l where ${joinConditions([
    'l.organization_id = $1::uuid',
    toConnectionCondition('l.connection_id', connections, parameters),
  ])}`
  const isNew = (condition: string) =>
    `l.connection_id ${condition} (select id from connection where organization_id = $1::uuid and created_at >= ${since})`
  const sum = (figure: BridgePart['figure'], rows: string, count = 'count(*)') =>
    `select l.currency, '${figure}' as figure, ${count} as count, 0 as moved, sum(l.total_amount) as amount
     from ${rows} group by l.currency`
  const effect = (figure: BridgePart['figure'], rows: string) =>
    `select currency, '${figure}', count(distinct (connection_id, line_id)), sum(moved), sum(amount) from ${rows} group by currency`
  return `
    select currency, figure, sum(count)::int as count, sum(moved)::int as moved, coalesce(sum(amount), 0)::text as amount
    from (${[
      sum('now', held, source.lineCount),
      sum('seen', `${held} and ${isNew('in')}`, source.lineCount),
      sum('seen', `${stored} and l.missing_since is not null and ${isNew('in')}`),
      ...(hasOlder ? [sum('seen', `${stored} and l.first_seen_at >= ${since} and ${isNew('not in')}`)] : []),
      effect('changed', 'moves'),
      effect('changed_of_seen', 'moves where is_seen'),
      `select currency, 'removed', count(*), 0, -sum(effect) from changed where kind = 'removed' group by currency`,
    ].join(' union all ')}) each
    group by currency, figure order by currency`
}

/** The bridges of the parts, one per currency that has or had lines. */
export function toBridges(parts: readonly BridgePart[]): Bridge[] {
  const currencies = [...new Set(parts.map(({ currency }) => currency))]
  return currencies
    .map((currency) => {
      const find = (figure: BridgePart['figure']) =>
        parts.find((each) => each.currency === currency && each.figure === figure) ?? NOTHING
      return toBridge({
        currency,
        now: toSum(find('now')),
        seen: toSum(find('seen')),
        changed: find('changed'),
        changedOfSeen: find('changed_of_seen'),
        removed: toSum(find('removed')),
      })
    })
    .filter(({ now, stood, arrived, removed }) => [now, stood, arrived, removed].some(({ count }) => count > 0))
}

const NOTHING: Effect = { count: 0, moved: 0, amount: '0' as DecimalText }

function toSum({ count, amount }: Effect) {
  return { count, amount }
}
