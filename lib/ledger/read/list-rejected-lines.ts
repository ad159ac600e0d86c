import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { RejectedLine } from '../model.ts'

type StoredRejection = Omit<RejectedLine, 'firstSeenAt' | 'lastSeenAt'> & { firstSeenAt: Date; lastSeenAt: Date }

/** Records still unreadable, most recently seen first; at most `maxRows`. */
export async function listRejectedLines(organizationId: OrganizationId, maxRows = 500): Promise<RejectedLine[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<StoredRejection>(
      `select r.connection_id as "connectionId", c.name as "connectionName", r.list, r.raw_hash as "rawHash", r.raw,
              r.record_id as "recordId", r.invoice_serial_number as "invoiceSerialNumber", r.reason, r.path,
              r.stated_total::text as "statedTotal", r.stated_currency as "statedCurrency",
              exists (select from invoice i where i.organization_id = r.organization_id
                and i.connection_id = r.connection_id and i.serial_number = r.invoice_serial_number) as "hasInvoice",
              r.first_seen_at as "firstSeenAt", r.last_seen_at as "lastSeenAt"
       from rejected_line r join connection c on c.organization_id = r.organization_id and c.id = r.connection_id
       where r.organization_id = $1 and r.resolved_at is null
       order by r.last_seen_at desc, r.connection_id, r.list, r.raw_hash limit $2`,
      [organizationId, maxRows],
    ),
  )
  return rows.map((row) => ({
    ...row,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }))
}
