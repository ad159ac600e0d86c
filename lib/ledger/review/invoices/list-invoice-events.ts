import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { InvoiceKey } from '../../kept/plain-invoices/read-completeness.ts'
import type { InvoiceEvent } from '../../model.ts'

const MOST_LISTED = 100

/** What was decided about an invoice itself, the latest first. */
export function listInvoiceEvents(
  sql: Sql,
  organizationId: OrganizationId,
  { connectionId, serialNumber }: InvoiceKey,
): Promise<InvoiceEvent[]> {
  return sql<InvoiceEvent>(
    `select d.number::text, d.kind, d.reason_code as reason,
       coalesce(d.reason_words, d.reason_code) as "reasonWords", d.note, d.actor_name as name, to_json(d.decided_at) as at
     from decision_invoice i join decision d on d.organization_id = i.organization_id and d.number = i.decision
     where i.organization_id = $1 and i.connection_id = $2 and i.invoice_serial_number = $3
     order by d.number desc limit ${MOST_LISTED}`,
    [organizationId, connectionId, serialNumber],
  )
}
