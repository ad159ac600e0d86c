/** Where a question about groups is answered, with what the months of issue have sums of. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import {
  chooseLineSource,
  chooseMonthSums,
  type LineSource,
  type ToldColumn,
  TRIPS_BY_MONTH,
  toLines,
} from '../../conditions/line-source.ts'
import { isOfLines } from '../../conditions/measure-columns.ts'
import type { LineFilters } from '../../query/line-query.ts'

/**
 * The smallest source that tells these columns apart and sums a measure: a roll-up; else sums by
 * month, where all months have them; else the lines. Exact for the rest of a `withTenantSnapshot`.
 */
export async function chooseMeasuredSource(
  sql: Sql,
  organizationId: OrganizationId,
  filters: LineFilters,
  columns: readonly ToldColumn[],
  measure: Measure,
): Promise<LineSource> {
  const needsLines = isOfLines(measure)
  const source = needsLines ? toLines(filters) : chooseLineSource(filters, columns)
  if (source.isRollup) return source
  const sums = chooseMonthSums(filters, columns, { ofLines: needsLines })
  if (sums === null || !(await areMonthsSummed(sql, organizationId))) return source
  return sums.name === TRIPS_BY_MONTH && (await hasOldTrips(sql, organizationId)) ? source : sums
}

/** SQL, true when every line of the organization `$1` is in the sums by month. */
export const ARE_MONTHS_SUMMED = `(
  select coalesce(sum(line_count), 0) = (
    select coalesce(sum(line_count), 0) from line_rollup where organization_id = $1 and grain = 'service')
  from month_sum where organization_id = $1 and grain = 'month')`

/** A month that any account has no sums of would be missing in the answer. */
async function areMonthsSummed(sql: Sql, organizationId: OrganizationId): Promise<boolean> {
  const [found] = await sql<{ areSummed: boolean }>(`select ${ARE_MONTHS_SUMMED} as "areSummed"`, [organizationId])
  return found?.areSummed === true
}

/** A month whose lines are all gone has trips that count no more, until the worker comes by. */
async function hasOldTrips(sql: Sql, organizationId: OrganizationId): Promise<boolean> {
  const [found] = await sql<{ has: boolean }>('select has_old_trip_sums($1) as has', [organizationId])
  return found?.has === true
}
