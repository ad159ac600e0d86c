/** Makes the search text of lines that have none of the program's own. */
import { workByOrganization } from '#lib/db/cluster/by-organization.ts'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type SearchedFields, toSearchText } from '../fields/search-text.ts'

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500

type StoredLine = SearchedFields & { connectionId: string }

/**
 * Makes the search text of one batch of lines, of any organization, that were stored before lines
 * kept one, or by an older worker beside this one. Several workers may do it at
 * once. @returns how many lines it did.
 */
export function fillSearchTextsBatch(limit = BATCH_LINES): Promise<number> {
  return withSystemSql((sql) =>
    workByOrganization(sql, `select organization_id as id from line where ${HAS_NONE}`, limit, (organizationId, left) =>
      fill(sql, organizationId, left),
    ),
  )
}

const HAS_NONE = `search_text like chr(30) || '%'`

async function fill(sql: Sql, organizationId: OrganizationId, limit: number): Promise<number> {
  const lines = await sql<StoredLine>(
    `select connection_id as "connectionId", id, description, trip_name as "tripName", trip_id as "tripId",
       invoice_serial_number as "invoiceSerialNumber", vendor_name as "vendorName", cost_center as "costCenter",
       traveler_names as "travelerNames"
     from line where organization_id = $1 and ${HAS_NONE} limit $2 for update skip locked`,
    [organizationId, limit],
  )
  const filled = lines.map((line) => ({ c: line.connectionId, i: line.id, t: toSearchText(line) }))
  if (filled.length > 0)
    await sql(
      `update line l set search_text = f.t from json_to_recordset($2::json) as f(c uuid, i text, t text)
       where l.organization_id = $1 and l.connection_id = f.c and l.id = f.i`,
      [organizationId, JSON.stringify(filled)],
    )
  return filled.length
}
