import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { toLines } from '../conditions/line-source.ts'
import { LINE_DIFFERENCE, toLineState } from '../fields/line-fields.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { ReviewCount } from '../model.ts'
import type { LineQuery } from '../query/line-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { REVIEW_OF_LINE } from './review-columns.ts'

/**
 * How many lines of the query stand where, whatever it says about that: those with findings, and
 * those without that are disputed or changed since. By currency, with what they are charged too
 * much or too little. And how many concern the person, and how many that were decided the platform
 * no longer has.
 */
export function countReview(
  organizationId: OrganizationId,
  userId: UserId,
  query: LineQuery,
): Promise<{ counts: ReviewCount[]; mineCount: number; goneCount: number }> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const parameters = createSqlParameters()
    const asked = await spellOut(sql, organizationId, { ...query, reviews: [], concerned: [] })
    const found = await findInvoicesOfText(sql, organizationId, asked)
    const conditions = toLineConditions(organizationId, asked, parameters, undefined, found)
    const counts = await sql<ReviewCount>(
      `select state, "lineState", currency, sum(lines)::int as "lineCount", sum(difference)::text as difference from (
         select coalesce(v.state, 'open') as state, ${toLineState('l')} as "lineState", l.currency, count(*) as lines,
                sum(${LINE_DIFFERENCE}) as difference
         from line l left join ${REVIEW_OF_LINE} where l.finding_count > 0 and ${conditions} group by 1, 2, 3
         union all
         select v.state, 'ties_out', l.currency, count(*), 0
         from line_review v join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
         where v.state in ('disputed', 'suspended') and l.finding_count = 0 and ${conditions} group by 1, 2, 3) counted
       group by 1, 2, 3 order by 1, 2, 3`,
      parameters.values,
    )
    const own = createSqlParameters()
    const mine = toLineConditions(organizationId, { ...asked, concerned: [userId] }, own, undefined, found)
    const gone = toLineConditions(organizationId, { ...asked, goneOnly: true }, own, toLines({ goneOnly: true }), found)
    const [row] = await sql<{ mineCount: number; goneCount: number }>(
      `select (select count(*)::int from line l where ${mine}) as "mineCount",
         (select count(*)::int from line_review v
          join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
          where v.state = 'suspended' and ${gone}) as "goneCount"`,
      own.values,
    )
    return { counts, mineCount: row?.mineCount ?? 0, goneCount: row?.goneCount ?? 0 }
  })
}
