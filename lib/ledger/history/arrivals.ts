/** Which lines came since a moment and stand as they came, from sums of what days brought. */
import { isWholeMonths } from '../conditions/split-span.ts'
import type { LineFilters } from '../query/line-query.ts'
import { joinConditions, type SqlParameters, toAnyOf } from '../sql/sql-parameters.ts'
import { type MomentSql, toArrived } from './moment-lines.ts'

/**
 * SQL of rows `currency, lines, total, below, below_total`, from what days brought
 * (lib/ledger/kept/arrivals); null if these do not tell the scope apart. The lines of the moment's
 * own day are read. Of later days, lines that have a past are subtracted as they came: their first
 * past is the first one since the moment, too.
 */
export function toKeptArrivals(
  moment: string,
  filters: LineFilters,
  moments: MomentSql,
  parameters: SqlParameters,
): string | null {
  const { profiles, costCenters, trips, from, to, dateField } = filters
  const hasDays = from !== null || to !== null
  if (costCenters.length > 0 || trips.length > 0) return null
  if (hasDays && (dateField !== 'issued' || !isWholeMonths(filters))) return null
  const day = `(${moment} at time zone 'UTC')::date`
  const nextDay = `((${day} + 1)::timestamp at time zone 'UTC')`
  const kept = joinConditions([
    `k.organization_id = ${moments.organization}`,
    `k.seen_on > ${day}`,
    moments.ofAccounts('k'),
    toAnyOf('k.profile_id', profiles, parameters),
    from === null ? null : `k.issuing_month >= ${parameters.add(from)}::date`,
    to === null ? null : `k.issuing_month <= ${parameters.add(to)}::date`,
  ])
  const below = (amount: string, sign = '') =>
    `${sign}count(*) filter (where ${amount} < 0), ${sign}sum(${amount}) filter (where ${amount} < 0)`
  return `
    select currency, sum(lines), sum(total), sum(below), sum(below_total)
    from (
      select k.currency, sum(k.line_count), sum(k.total_amount), sum(k.below_count), sum(k.below_amount)
      from arrival_sum k where ${kept} group by k.currency
      union all
      select t.currency, -count(*), -sum(t.total_amount), ${below('t.total_amount', '-')}
      from touched t where ${joinConditions([`t.first_seen_at >= ${nextDay}`, 'not t.is_gone', moments.isIn('t')])} group by t.currency
      union all
      select l.currency, count(*), sum(l.total_amount), ${below('l.total_amount')}
      from line l where ${toArrived(moments, moment)} and l.first_seen_at < ${nextDay} group by l.currency) came (currency, lines, total, below, below_total)
    group by currency`
}
