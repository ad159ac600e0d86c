import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { InvoiceHint } from '#lib/partner/webhook/webhook-invoice.ts'

/**
 * Takes a hint that an invoice has news. Every active connection that knows the invoice or its
 * profile reads it again, with its lines, from the platform. Repeated hints before that reading
 * count once. Returns how many connections it concerns.
 */
export async function takeInvoiceHint({ serialNumber, profileId }: InvoiceHint): Promise<number> {
  const connections = await withSystemSql((sql) =>
    sql<{ organizationId: OrganizationId; connectionId: ConnectionId }>(
      // not `exists … or exists …`, which a cluster cannot divide (decision 067)
      `select c.organization_id as "organizationId", c.id as "connectionId" from connection c
       join profile p on p.organization_id = c.organization_id and p.connection_id = c.id
       where c.state = 'active' and p.id = $2
       union
       select c.organization_id, c.id from connection c
       join invoice i on i.organization_id = c.organization_id and i.connection_id = c.id
       where c.state = 'active' and i.serial_number = $1
       order by 2`,
      [serialNumber, profileId],
    ),
  )
  for (const { organizationId, connectionId } of connections) {
    // committed before the request: a run that ends meanwhile leaves the hint to the sweep and
    // never waits for us
    await withTenantSql(organizationId, (sql) =>
      sql(
        `insert into sync_hint (organization_id, connection_id, serial_number) values ($1, $2, $3)
         on conflict (organization_id, connection_id, serial_number) do update set received_at = excluded.received_at, handled_at = null`,
        [organizationId, connectionId, serialNumber],
      ),
    )
    await requestSync(organizationId, connectionId, { trigger: 'webhook', requestedBy: null, kind: 'invoices' })
  }
  return connections.length
}
