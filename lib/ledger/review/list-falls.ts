/** Decisions that no longer stand: what lines were when they were decided, and what they are. */
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { toLines } from '../conditions/line-source.ts'
import type { FallenLine, FallSum } from '../model.ts'
import type { LineFilters } from '../query/line-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { REVIEW_OF_LINE } from './review-columns.ts'

/**
 * The lines of a query whose decision fell and that nobody has decided since: their sums by cause
 * and currencies, and the first `most` of them, those with the most money moved first. A query that
 * asks for lines that are gone gets these.
 */
export function listFalls(
  organizationId: OrganizationId,
  query: LineFilters,
  most: number,
): Promise<{ sums: FallSum[]; lines: FallenLine[] }> {
  const parameters = createSqlParameters()
  const filters: LineFilters = { ...query, reviews: ['suspended'] }
  const rows = `line l join ${REVIEW_OF_LINE}
    where v.state = 'suspended' and ${toLineConditions(organizationId, filters, parameters, toLines(filters))}`
  return withTenantSnapshot(organizationId, async (sql) => ({
    sums: await sql<FallSum>(
      `select v.cause, v.currency as "currencyBefore", l.currency, count(*)::int as "lineCount",
         sum(v.amount)::text as "amountBefore", sum(l.total_amount)::text as "amountNow"
       from ${rows} group by v.cause, v.currency, l.currency order by l.currency, v.currency, v.cause`,
      parameters.values,
    ),
    lines: await sql<FallenLine>(
      `select l.connection_id as "connectionId", l.id, l.description, v.decision::text, v.cause,
         v.currency as "currencyBefore", v.amount::text as "amountBefore", l.currency, l.total_amount::text as "amountNow"
       from ${rows} order by abs(l.total_amount - v.amount) desc, l.connection_id, l.id limit ${parameters.add(most)}`,
      parameters.values,
    ),
  }))
}
