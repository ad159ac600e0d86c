import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { SignStep } from '#lib/reconcile/close/close-state.ts'
import { findPeriod } from '#lib/reconcile/period.ts'
import type { MomentScope } from '../query/moments/moment-query.ts'

/** `at`: an instant (ISO 8601, UTC), to the microsecond. `hasEnded`: it stands no more. */
export type SignedMoment = { step: SignStep; name: string; at: string; hasEnded: boolean }

/** So many are offered: a month that is signed more often was opened again many times. */
const MOST_OFFERED = 6

/**
 * When exactly this month was signed, of an account or a profile, the newest first, with what has
 * ended since; nothing for a scope that nobody can sign.
 */
export async function listSignedMoments(organizationId: OrganizationId, scope: MomentScope): Promise<SignedMoment[]> {
  const { connections, profiles, costCenters, trips, from, to, dateField } = scope
  const [, month] = /^(\d{4}-\d{2})$/.exec(findPeriod(from, to)?.text ?? '') ?? []
  const [profile = null] = profiles
  if (month === undefined || dateField !== 'issued' || costCenters.length + trips.length > 0 || profiles.length > 1)
    return []
  return withTenantSql(organizationId, (sql) =>
    sql<SignedMoment>(
      `select step, actor_name as name, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
         ended_at is not null as "hasEnded"
       from sign_off
       where organization_id = $1 and month = $2::date and profile_id is not distinct from $3
         and ($4::text[] = '{}' or connection_id::text = any($4::text[]))
       order by sign_off.at desc, id limit ${MOST_OFFERED}`,
      [organizationId, `${month}-01`, profile, connections],
    ),
  )
}
