/** Removes old attempts to renew tokens, in short transactions; many workers may run it. */
import { workByOrganization } from '#lib/db/cluster/by-organization.ts'
import { withSystemSql } from '#lib/db/tenant.ts'

/**
 * How long an ended attempt is kept: as long as a refresh token lives (contract, Limits). Older
 * ones are about dead tokens.
 */
const ATTEMPTS_KEPT_DAYS = 30

/** Rows per transaction: few enough that nobody waits for it. */
const BATCH_ROWS = 1000

const OLD = `
  a.finished_at < now() - make_interval(days => ${ATTEMPTS_KEPT_DAYS})
  and not exists (select from connection_credential k
                  where k.organization_id = a.organization_id and k.connection_id = a.connection_id
                    and k.generation <= a.generation)
  and exists (select from refresh_attempt later
              where later.organization_id = a.organization_id and later.connection_id = a.connection_id
                and later.started_at > a.started_at and later.generation >= a.generation)`

/**
 * Removes at most one batch of attempts, of any organization, that ended long ago. Keeps what the
 * refresh protocol reads: every attempt for a connection's current tokens (doubts, pauses, kept
 * answers), attempts that never ended, and each connection's newest, which is also the last to name
 * its generation. @returns how many it removed.
 */
export function removeAttemptBatch(limit = BATCH_ROWS): Promise<number> {
  return withSystemSql((sql) => {
    const due = `select a.organization_id as id from refresh_attempt a where ${OLD} order by a.finished_at`
    return workByOrganization(sql, due, limit, async (organizationId, left) => {
      const [removed] = await sql<{ count: number }>(
        `with old as (
           select a.id from refresh_attempt a where a.organization_id = $1 and ${OLD.replaceAll('a.organization_id', '$1')}
           order by a.finished_at limit $2 for update of a skip locked),
         gone as (
           delete from refresh_attempt a using old where a.organization_id = $1 and a.id = old.id returning 1)
         select count(*)::int as count from gone`,
        [organizationId, left],
      )
      return removed?.count ?? 0
    })
  })
}
