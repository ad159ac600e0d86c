/** Reads again, from their own records, what lines did not keep when they were stored. */
import { withSystemSql } from '#lib/db/tenant.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500

/**
 * Fills the country and the custom fields of one batch of lines, of any organization, that were
 * stored before lines kept them, or by an older worker beside this one. Several workers may do it
 * at once. @returns how many lines it did.
 */
export async function fillFieldsBatch(limit = BATCH_LINES): Promise<number> {
  return withSystemSql(async (sql) => {
    const lines = await sql<{ o: string; c: string; i: string; raw: string | null }>(
      `select l.organization_id as o, l.connection_id as c, l.id as i,
         (select p.raw::text from line_payload p
          where p.organization_id = l.organization_id and p.connection_id = l.connection_id and p.line_id = l.id) as raw
       from line l where l.custom_fields is null limit $1 for update of l skip locked`,
      [limit],
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
         from json_to_recordset($1::json) as f(o uuid, c uuid, i text, country text, fields json)
         where l.organization_id = f.o and l.connection_id = f.c and l.id = f.i`,
        [JSON.stringify(filled)],
      )
    return filled.length
  })
}
