import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** Ids of the later lines that answer a dispute which is still settled by them. */
export async function listConfirmed(sql: Sql, organizationId: OrganizationId): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(
    `select distinct term ->> 'candidateId' as id
     from decision d cross join jsonb_array_elements(d.answer -> 'terms') term
     where d.organization_id = $1 and d.kind = 'settle' and exists (
       select from line_review v where v.organization_id = d.organization_id and v.decision = d.number)`,
    [organizationId],
  )
  return new Set(rows.map(({ id }) => id))
}
