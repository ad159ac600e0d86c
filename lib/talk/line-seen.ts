/** Who has looked at a line. */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { toInitials } from './list-people.ts'
import type { Seen } from './model.ts'

/** Whoever looks again sooner changes nothing. */
const MINUTES_BETWEEN = 10
const MOST_LISTED = 100

/**
 * Notes that the person looks at the line, and says who has looked at it before and when, the
 * latest first; null when the organization has no such line.
 */
export function noteSeen(
  organizationId: OrganizationId,
  userId: UserId,
  { connectionId, lineId }: { connectionId: ConnectionId; lineId: string },
): Promise<Seen[] | null> {
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, connectionId, lineId]
    const [line] = await sql<{ isNoted: boolean }>(
      `select exists (select from line_seen s where s.organization_id = $1 and s.connection_id = $2 and s.line_id = $3
           and s.person_id = $4 and s.seen_at > now() - make_interval(mins => ${MINUTES_BETWEEN})) as "isNoted"
       from line where organization_id = $1 and connection_id = $2 and id = $3`,
      [...own, userId],
    )
    if (line === undefined) return null
    // the account's data is not deleted before this is noted
    if (!line.isNoted)
      await sql(
        `insert into line_seen (organization_id, connection_id, line_id, person_id, seen_at)
         select organization_id, connection_id, id, $4, clock_timestamp() from line
         where organization_id = $1 and connection_id = $2 and id = $3 for key share
         on conflict (organization_id, connection_id, line_id, person_id) do update set seen_at = excluded.seen_at`,
        [...own, userId],
      )
    const seen = await sql<Omit<Seen, 'at' | 'initials'> & { at: Date }>(
      `select p.id, p.name, s.seen_at as at from line_seen s
         join app_user p on p.organization_id = s.organization_id and p.id = s.person_id
       where s.organization_id = $1 and s.connection_id = $2 and s.line_id = $3
       order by s.seen_at desc, p.id limit ${MOST_LISTED}`,
      own,
    )
    return seen.map(({ id, name, at }) => ({ id, name, initials: toInitials(name), at: at.toISOString() }))
  })
}
