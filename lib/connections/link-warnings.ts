import { withTenantSql } from '../db/tenant.ts'

/** A connection of which every page tells the admins. `daysLeft` is null when the link has ended already. */
export type LinkWarning = {
  connectionId: string
  name: string | null
  daysLeft: 1 | 3 | 7 | null
  endsAt: string | null
}

/**
 * Connections that need to be reconnected, and active ones whose link ends within 7, 3 or 1 days; the most urgent first. Reads
 * the credentials themselves: it holds at this moment, also while no worker runs.
 */
export async function listLinkWarnings(organizationId: string): Promise<LinkWarning[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<Omit<LinkWarning, 'endsAt'> & { endsAt: Date | null }>(
      `select c.id as "connectionId", c.name,
              case when c.state = 'needs_reconnect' then null
                   when k.refresh_expires_at <= now() + interval '1 day' then 1
                   when k.refresh_expires_at <= now() + interval '3 days' then 3 else 7 end as "daysLeft",
              case when c.state = 'active' then k.refresh_expires_at end as "endsAt"
       from connection c
       left join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
       where c.organization_id = $1
         and (c.state = 'needs_reconnect' or (c.state = 'active' and k.refresh_expires_at <= now() + interval '7 days'))
       order by c.state = 'needs_reconnect' desc, k.refresh_expires_at, c.name, c.id`,
      [organizationId],
    ),
  )
  return rows.map((row) => ({ ...row, endsAt: row.endsAt === null ? null : row.endsAt.toISOString() }))
}
