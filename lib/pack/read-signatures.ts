import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { IS_OF_SCOPE, type PackScope, toScopeValues } from './pack-scope.ts'
import type { PackSignature } from './signatures.ts'

/**
 * Sign-offs of exactly this scope, the oldest first, with what ended those that no longer stand.
 */
export function readSignatures(sql: Sql, organizationId: OrganizationId, scope: PackScope): Promise<PackSignature[]> {
  const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  return sql<PackSignature>(
    `select s.step, s.actor_name as name, s.actor_role as role, ${moment('s.at')} as at, encode(s.seal, 'hex') as seal, s.residuals,
       case when e.sign_off_id is not null then json_build_object('cause', e.cause, 'at', ${moment('e.at')}) end as ended
     from (select * from sign_off where organization_id = $1 and ${IS_OF_SCOPE}) s
     left join sign_off_end e on e.organization_id = s.organization_id and e.sign_off_id = s.id
     order by s.at, s.id`,
    [organizationId, ...toScopeValues(scope)],
  )
}
