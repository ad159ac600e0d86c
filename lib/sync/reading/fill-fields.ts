/** Reads again, from their own records, what lines did not keep when they were stored. */
import { workByOrganization } from '#lib/db/cluster/by-organization.ts'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500

/**
 * Fills the country and the custom fields of one batch of lines, of any organization, that were
 * stored before lines kept them, or by an older worker beside this one. Several workers may do it
 * at once. @returns how many lines it did.
 */
export function fillFieldsBatch(limit = BATCH_LINES): Promise<number> {
  return withSystemSql((sql) =>
    workByOrganization(
      sql,
      'select organization_id as id from line where custom_fields is null',
      limit,
      (organizationId, left) => fill(sql, organizationId, left),
    ),
  )
}

async function fill(sql: Sql, organizationId: OrganizationId, limit: number): Promise<number> {
  const lines = await sql<{ c: string; i: string; raw: string | null }>(
    `select l.connection_id as c, l.id as i,
       (select p.raw::text from line_payload p
        where p.organization_id = $1 and p.connection_id = l.connection_id and p.line_id = l.id) as raw
     from line l where l.organization_id = $1 and l.custom_fields is null limit $2 for update of l skip locked`,
    [organizationId, limit],
  )
  const filled = lines.map(({ raw, ...key }) => {
    const read = raw === null ? null : parseLine(raw)
    const { country = null, customFields = null } = read?.ok ? read.line : {}
    return { ...key, country, fields: customFields ?? [] }
  })
  if (filled.length > 0)
    await sql(
      `update line l set country_code = f.country,
         custom_fields = array(select json_array_elements_text(f.fields))
       from json_to_recordset($2::json) as f(c uuid, i text, country text, fields json)
       where l.organization_id = $1 and l.connection_id = f.c and l.id = f.i`,
      [organizationId, JSON.stringify(filled)],
    )
  return filled.length
}
