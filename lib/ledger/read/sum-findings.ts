/** What lines are charged too much or too little, summed: the overview and the digest ask here. */
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { LINE_DIFFERENCE, toLineState } from '../fields/line-fields.ts'
import type { FindingTotal } from '../model.ts'
import type { LineFilters } from '../query/line-query.ts'
import { createSqlParameters, type SqlParameters } from '../sql/sql-parameters.ts'

/**
 * SQL for the differences of lines, by their state and currency, shaped as `FindingTotal`.
 * Differences of opposite signs do not cancel; the tax's is part of what the total should be.
 */
export function toFindingSums(organizationId: OrganizationId, filters: LineFilters, parameters: SqlParameters): string {
  return `
    select outcome, currency, count(*)::int as "lineCount",
           coalesce(sum(difference) filter (where difference > 0), 0)::text as overcharged,
           coalesce(-sum(difference) filter (where difference < 0), 0)::text as undercharged
    from (select l.currency, ${LINE_DIFFERENCE} as difference,
                 ${toLineState('l')} as outcome
          from line l where ${toLineConditions(organizationId, filters, parameters)}) line
    group by outcome, currency order by outcome desc, currency`
}

/** The differences of the lines that a list of them shows under the same filters. */
export function sumFindings(organizationId: OrganizationId, filters: LineFilters): Promise<FindingTotal[]> {
  const parameters = createSqlParameters()
  const query = toFindingSums(organizationId, filters, parameters)
  return withTenantSnapshot(organizationId, (sql) => sql<FindingTotal>(query, parameters.values))
}
