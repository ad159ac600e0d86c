/** Housekeeping of the page ledger, in short transactions. Several workers may do it at once. */

import { SQL_OVER, SQL_READ } from '#lib/connections/runs/run-status.ts'
import { workByOrganization } from '#lib/db/cluster/by-organization.ts'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/**
 * How long to keep the pages of a finished run. A month allows looking at a run page by page, and
 * spans four or five complete readings. An account of a million lines that syncs hourly writes tens
 * of megabytes of pages a day.
 */
const PAGES_KEPT_DAYS = 30

/** The most one transaction takes on: few enough that nobody waits for it. */
const BATCH: PageBatch = { runs: 100, pages: 1000 }

export type PageBatch = { runs: number; pages: number }

/**
 * `runs`: how many were handled; their pages are gone, or are left for the next batch. Zero means
 * nothing is left to do.
 */
export type RemovedPages = { runs: number; pages: number }

/**
 * Runs that ended long ago and whose pages nobody reads any more. Two kinds are still read. A
 * decision about a held loss reads the pages of that run and of every later one (`gatherSeen`). A
 * connection's last complete reading shows what the platform last held as a whole. A run never
 * becomes needed again, because only a connection's newest run finds a loss.
 */
const toOverAndOld = (organization: string) => `
  r.finished_at < now() - make_interval(days => ${PAGES_KEPT_DAYS}) and r.pages_removed_at is null
  and r.status in ${SQL_OVER}
  and not exists (
    select from sync_loss l join sync_run held on held.organization_id = ${organization} and held.id = l.run_id
    where l.organization_id = ${organization} and l.connection_id = r.connection_id and l.decision is null
      and held.requested_at <= r.requested_at)
  and not (r.kind in ('backfill', 'verification') and r.status in ${SQL_READ} and not exists (
    select from sync_run later
    where later.organization_id = ${organization} and later.connection_id = r.connection_id
      and later.kind in ('backfill', 'verification') and later.status in ${SQL_READ}
      and (later.requested_at, later.id) > (r.requested_at, r.id)))`

/**
 * Removes at most one batch of pages, of any organization, in one transaction. What they brought is
 * kept per day (sync_arrival), and a run without pages left is marked. Skips runs that another
 * worker has locked.
 */
export function removePageBatch(batch: PageBatch = BATCH): Promise<RemovedPages> {
  return withSystemSql(async (sql) => {
    const due = `select r.organization_id as id from sync_run r where ${toOverAndOld('r.organization_id')} order by r.finished_at`
    let pages = 0
    const runs = await workByOrganization(sql, due, batch.runs, async (organizationId, left) => {
      const rows = await sql<{ id: string }>(
        `select r.id from sync_run r where r.organization_id = $1 and ${toOverAndOld('$1::uuid')}
         order by r.finished_at limit $2 for update of r skip locked`,
        [organizationId, left],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      if (pages < batch.pages) pages += await removePages(sql, organizationId, ids, batch.pages - pages)
      await sql(
        `update sync_run r set pages_removed_at = now()
         where r.organization_id = $1 and r.id = any ($2::uuid[])
           and not exists (select from sync_page p where p.organization_id = $1 and p.run_id = r.id)`,
        [organizationId, ids],
      )
      return ids.length
    })
    return { runs, pages }
  })
}

/** Finds pages through their key, run by run, to rule out a plan that reads the whole ledger. */
async function removePages(
  sql: Sql,
  organizationId: OrganizationId,
  runs: readonly string[],
  limit: number,
): Promise<number> {
  const [removed] = await sql<{ count: number }>(
    `with gone as (
       delete from sync_page where organization_id = $1 and ctid = any (array(
         select p.page from unnest($2::uuid[]) as old (run_id)
         cross join lateral (
           select p.ctid as page from sync_page p where p.organization_id = $1 and p.run_id = old.run_id limit $3) p
         limit $3))
       returning run_id, list, committed_at, inserted),
     arrived as (
       insert into sync_arrival (organization_id, run_id, list, day, inserted)
       select $1, run_id, list, (committed_at at time zone 'UTC')::date, sum(inserted)
       from gone where inserted > 0 group by 1, 2, 3, 4
       on conflict (organization_id, run_id, list, day) do update set inserted = sync_arrival.inserted + excluded.inserted
       returning 1)
     select count(*)::int as count from gone`,
    [organizationId, runs, limit],
  )
  return removed?.count ?? 0
}
