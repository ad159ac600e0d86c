/** Warnings before a refresh token runs out: recorded and mailed once per token and threshold. */

import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { LINK_WARNING_DAYS } from '../concerns.ts'

const DAY_SECONDS = 86_400
/** How long a worker has to send a mail before another tries; also the pause after a failure. */
const MAIL_LEASE_SECONDS = 600

/** Records and logs each warning that is due. @returns how many were new. */
export async function recordWarnings(): Promise<number> {
  const recorded = await withSystemSql((sql) =>
    sql<{ connection_id: string; days_left: number }>(
      `insert into connection_warning (organization_id, connection_id, refresh_expires_at, days_left)
       select k.organization_id, k.connection_id, k.refresh_expires_at, t.days
       from connection_credential k
       join connection c on c.organization_id = k.organization_id and c.id = k.connection_id
       cross join unnest($1::int[]) as t (days)
       where c.state = 'active' and k.refresh_expires_at > statement_timestamp()
         and k.refresh_expires_at <= statement_timestamp() + make_interval(secs => t.days * ${DAY_SECONDS})
       on conflict do nothing returning connection_id, days_left`,
      [LINK_WARNING_DAYS],
    ),
  )
  for (const { connection_id, days_left } of recorded)
    log.warn({ connectionId: connection_id, daysLeft: days_left }, 'a connection is about to run out')
  return recorded.length
}

/** A warning to mail; `to` lists the organization's admins. */
export type WarningMail = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  connectionName: string | null
  daysLeft: number
  refreshExpiresAt: Date
  to: string[]
}

/**
 * Claims an unmailed warning for this worker alone, for ten minutes; null when there is none. Skips
 * warnings about tokens renewed since, and those that a more urgent one has overtaken.
 */
export function claimWarningMail(): Promise<WarningMail | null> {
  return withSystemSql((sql) =>
    claim<WarningMail>(sql, {
      table: 'connection_warning',
      key: 'organization_id, connection_id, refresh_expires_at, days_left',
      isDue: `mailed_at is null and coalesce(mail_lease_until, '-infinity') <= statement_timestamp()
        and exists (select from connection_credential k where ${OF_WARNING('k', 'connection_id')}
                      and k.refresh_expires_at = w.refresh_expires_at)
        and exists (select from connection c where ${OF_WARNING('c', 'id')} and c.state = 'active')
        and not exists (select from connection_warning u where ${OF_WARNING('u', 'connection_id')}
                          and u.refresh_expires_at = w.refresh_expires_at and u.days_left < w.days_left)`,
      order: 'days_left, warned_at',
      hold: `mail_lease_until = statement_timestamp() + make_interval(secs => ${MAIL_LEASE_SECONDS})`,
      returning: `organization_id as "organizationId", connection_id as "connectionId",
        (select c.name from connection c where ${OF_WARNING('c', 'id')}) as "connectionName",
        days_left as "daysLeft", refresh_expires_at as "refreshExpiresAt",
        array(select u.email from app_user u where u.organization_id = w.organization_id and u.role = 'admin'
              and u.disabled_at is null order by u.email) as to`,
    }),
  )
}

const OF_WARNING = (table: string, key: string) =>
  `${table}.organization_id = w.organization_id and ${table}.${key} = w.connection_id`

export async function noteMailed({ organizationId, connectionId, daysLeft }: WarningMail): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `update connection_warning w set mailed_at = statement_timestamp(), mail_lease_until = null
       from connection_credential k
       where w.organization_id = $1 and w.connection_id = $2 and w.days_left = $3 and w.mailed_at is null
         and k.organization_id = $1 and k.connection_id = $2 and k.refresh_expires_at = w.refresh_expires_at`,
      [organizationId, connectionId, daysLeft],
    ),
  )
}
