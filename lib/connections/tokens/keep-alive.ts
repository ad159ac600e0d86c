/**
 * Keeps unused connections alive: an unused refresh token ends after 30 days (contract, Limits).
 * All moments are by the database's clock.
 */

import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { KEEP_ALIVE_DAYS } from '../concerns.ts'
import { getAccessToken } from './access-token.ts'
import { REFRESH_LIFETIME_SECONDS } from './granted-tokens.ts'

const DAY = 86_400

export type KeptConnection = { organizationId: OrganizationId; connectionId: ConnectionId; generation: number }

/**
 * Active connections whose refresh token has reached an age for renewal and was not renewed since,
 * except those whose next attempt must wait. Age counts back from the token's end, so it also holds
 * for a token that stayed while the access token was renewed.
 */
export function listIdleConnections(): Promise<KeptConnection[]> {
  const [first, second, third] = KEEP_ALIVE_DAYS
  return withSystemSql((sql) =>
    sql<KeptConnection>(
      `select organization_id as "organizationId", connection_id as "connectionId", generation
       from (select k.organization_id, k.connection_id, k.generation, k.obtained_at, k.refresh_expires_at,
                    k.refresh_expires_at - make_interval(secs => $1) as born_at,
                    extract(epoch from clock_timestamp() - k.refresh_expires_at)::float8 + $1 as age
             from connection_credential k
             join connection c on c.organization_id = k.organization_id and c.id = k.connection_id
             where c.state = 'active' and k.refresh_expires_at > statement_timestamp()
               and k.refresh_expires_at <= statement_timestamp() + make_interval(secs => $1 - $2)
               and coalesce(k.lease_until, '-infinity') <= statement_timestamp()) as old
       where obtained_at < born_at + make_interval(secs =>
               case when age < $3 then $2 when age < $4 then $3 else floor(age / ${DAY}) * ${DAY} end)
         and not exists (select from refresh_attempt a
                         where a.organization_id = old.organization_id and a.connection_id = old.connection_id
                           and a.generation = old.generation and a.next_attempt_at > statement_timestamp())
       order by refresh_expires_at limit 200`,
      [REFRESH_LIFETIME_SECONDS, first * DAY, second * DAY, third * DAY],
    ),
  )
}

/** Renews due idle connections one by one and logs failures. @returns how many it renewed. */
export async function keepAlive(signal: AbortSignal): Promise<number> {
  let renewed = 0
  for (const { organizationId, connectionId, generation } of await listIdleConnections()) {
    if (signal.aborted) break
    try {
      const token = await getAccessToken(organizationId, connectionId, { forceGeneration: generation, signal })
      if (token.generation > generation) renewed += 1
      log.info({ connectionId, generation: token.generation }, 'idle connection kept alive')
    } catch (thrown) {
      log.warn({ connectionId, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'not kept alive')
    }
  }
  return renewed
}
