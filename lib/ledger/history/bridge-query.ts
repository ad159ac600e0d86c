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

/** A condition on accounts: all that they have came since the moment `since`. */
const isNewAccount = (column: string, condition: 'in' | 'not in', since: string) =>
  `${column} ${condition} (select id from connection where organization_id = $1::uuid and created_at >= ${since})`

/**
 * Changes of lines, from `changed`, as the amounts by which each line's leave or join a currency.
 * For a common table beside it; `since` is the placeholder of a moment. A line that was something
 * since before that moment had come by then, so few lines are looked up, and each is once.
 */
export function toMoves(since: string): string {
  const moved = (currency: string, moved: number, amount: string, condition: string) =>
    `select connection_id, line_id, valid_from, ${currency} as currency, ${moved} as moved, ${amount} as amount
     from changed where kind = 'line' and ${condition}`
  return `
    moves as (
      select m.currency, m.moved, m.amount,
        m.valid_from >= ${since} and (${isNewAccount('m.connection_id', 'in', since)} or (
          select l.first_seen_at >= ${since} from line l
          where l.organization_id = $1::uuid and l.connection_id = m.connection_id and l.id = m.line_id)) as is_seen
      from (
        select connection_id, line_id, currency, sum(moved) as moved, sum(amount) as amount, min(valid_from) as valid_from
        from (${[
          moved('currency', 0, 'effect', 'currency = next_currency and effect <> 0'),
          moved('currency', -1, '-amount', 'currency <> next_currency'),
          moved('next_currency', 1, 'next_amount', 'currency <> next_currency'),
        ].join(' union all ')}) e
        group by connection_id, line_id, currency) m)`
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
  const isNew = (condition: 'in' | 'not in') => isNewAccount('l.connection_id', condition, since)
  const sum = (figure: BridgePart['figure'], rows: string, count = 'count(*)') =>
    `select l.currency, '${figure}' as figure, ${count} as count, 0 as moved, sum(l.total_amount) as amount
     from ${rows} group by l.currency`
  const effect = (figure: BridgePart['figure'], rows: string) =>
    `select currency, '${figure}', count(*), sum(moved), sum(amount) from ${rows} group by currency`
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
