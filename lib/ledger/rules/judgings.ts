/** Wishes to judge an organization's lines again: rules change in a web process, workers judge. */

import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { judgeOrganization } from './judge-lines.ts'

/** Wishes for it in the caller's transaction, and wakes a worker when that ends. */
export async function wishJudging(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql(
    `insert into judging as j (organization_id) values ($1)
     on conflict (organization_id) do update set wished = j.wished + 1, wished_at = excluded.wished_at`,
    [organizationId],
  )
  await wakeWorkers(sql)
}

/** After an upgrade: whose findings nobody has looked for reasons of. */
export async function wishJudgingAfterUpgrade(): Promise<void> {
  await withSystemSql((sql) =>
    sql(
      `insert into judging as j (organization_id)
       select l.organization_id from line l where l.finding_count > 0 and l.explained_codes is null group by 1
       on conflict (organization_id) do update set wished = j.wished + 1`,
    ),
  )
}

/** Whether all lines are judged by the rules as they are. */
export async function isJudged(organizationId: OrganizationId): Promise<boolean> {
  const open = await withTenantSql(organizationId, (sql) =>
    sql('select from judging where organization_id = $1 and done < wished', [organizationId]),
  )
  return open.length === 0
}

/**
 * Does every open wish of any organization. Two workers may do one at the same time: a line is
 * judged in the same way by both. A wish that is broken off stays open.
 */
export async function judgeWished(signal: AbortSignal): Promise<number> {
  const open = await withSystemSql((sql) =>
    sql<{ organizationId: OrganizationId; wished: string }>(
      `select organization_id as "organizationId", wished::text from judging where done < wished order by wished_at limit 100`,
    ),
  )
  let done = 0
  for (const { organizationId, wished } of open) {
    if (signal.aborted) break
    const changed = await judgeOrganization(organizationId, signal)
    if (signal.aborted) break
    await withTenantSql(organizationId, (sql) =>
      sql('update judging set done = greatest(done, $2::bigint) where organization_id = $1', [organizationId, wished]),
    )
    log.info({ organization: organizationId, changed }, 'lines judged by the rules')
    done += 1
  }
  return done
}
