/** Makes the search text of lines that have none of the program's own. */
import { withSystemSql } from '#lib/db/tenant.ts'
import { type SearchedFields, toSearchText } from '../fields/search-text.ts'

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500

type StoredLine = SearchedFields & { organizationId: string; connectionId: string }

/**
 * Makes the search text of one batch of lines, of any organization, that were stored before lines
 * kept one, or by an older worker beside this one. Several workers may do it at
 * once. @returns how many lines it did.
 */
export async function fillSearchTextsBatch(limit = BATCH_LINES): Promise<number> {
  return withSystemSql(async (sql) => {
    const lines = await sql<StoredLine>(
      `select organization_id as "organizationId", connection_id as "connectionId", id, description, trip_name as "tripName",
         trip_id as "tripId", invoice_serial_number as "invoiceSerialNumber", vendor_name as "vendorName",
         cost_center as "costCenter", traveler_names as "travelerNames"
       from line where search_text like chr(30) || '%'
       limit $1 for update skip locked`,
      [limit],
    )
    const filled = lines.map((line) => ({
      o: line.organizationId,
      c: line.connectionId,
      i: line.id,
      t: toSearchText(line),
    }))
    if (filled.length > 0)
      await sql(
        `update line l set search_text = f.t
         from json_to_recordset($1::json) as f(o uuid, c uuid, i text, t text)
         where l.organization_id = f.o and l.connection_id = f.c and l.id = f.i`,
        [JSON.stringify(filled)],
      )
    return filled.length
  })
}
