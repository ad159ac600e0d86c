/** Housekeeping of the page ledger, in short transactions. Several workers may do it at once. */

import { SQL_OVER, SQL_READ } from '#lib/connections/runs/run-status.ts'
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
const OVER_AND_OLD = `
  r.finished_at < now() - make_interval(days => ${PAGES_KEPT_DAYS}) and r.pages_removed_at is null
  and r.status in ${SQL_OVER}
  and not exists (
    select from sync_loss l join sync_run held on held.organization_id = l.organization_id and held.id = l.run_id
    where l.organization_id = r.organization_id and l.connection_id = r.connection_id and l.decision is null
      and held.requested_at <= r.requested_at)
  and not (r.kind in ('backfill', 'verification') and r.status in ${SQL_READ} and not exists (
    select from sync_run later
    where later.organization_id = r.organization_id and later.connection_id = r.connection_id
      and later.kind in ('backfill', 'verification') and later.status in ${SQL_READ}
      and (later.requested_at, later.id) > (r.requested_at, r.id)))`

/**
 * Removes at most one batch of pages, of any organization, in one transaction. What they brought is
 * kept per day (sync_arrival), and a run without pages left is marked. Skips runs that another
 * worker has locked.
 */
export function removePageBatch(batch: PageBatch = BATCH): Promise<RemovedPages> {
  return withSystemSql(async (sql) => {
    const runs = await sql<{ organizationId: OrganizationId; id: string }>(
      `select r.organization_id as "organizationId", r.id from sync_run r where ${OVER_AND_OLD}
       order by r.finished_at limit $1 for update of r skip locked`,
      [batch.runs],
    )
    if (runs.length === 0) return { runs: 0, pages: 0 }
    const keys = [runs.map(({ organizationId }) => organizationId), runs.map(({ id }) => id)]
    const pages = await removePages(sql, keys, batch.pages)
    await sql(
      `update sync_run r set pages_removed_at = now()
       from unnest($1::uuid[], $2::uuid[]) as done (organization_id, id)
       where r.organization_id = done.organization_id and r.id = done.id
         and not exists (select from sync_page p where p.organization_id = r.organization_id and p.run_id = r.id)`,
      keys,
    )
    return { runs: runs.length, pages }
  })
}

/** Finds pages through their key, run by run, to rule out a plan that reads the whole ledger. */
async function removePages(sql: Sql, keys: string[][], limit: number): Promise<number> {
  const [removed] = await sql<{ count: number }>(
    `with gone as (
       delete from sync_page where ctid = any (array(
         select p.page from unnest($1::uuid[], $2::uuid[]) as old (organization_id, run_id)
         cross join lateral (
           select p.ctid as page from sync_page p
           where p.organization_id = old.organization_id and p.run_id = old.run_id limit $3) p
         limit $3))
       returning organization_id, run_id, list, committed_at, inserted),
     arrived as (
       insert into sync_arrival (organization_id, run_id, list, day, inserted)
       select organization_id, run_id, list, (committed_at at time zone 'UTC')::date, sum(inserted)
       from gone where inserted > 0 group by 1, 2, 3, 4
       on conflict (organization_id, run_id, list, day) do update set inserted = sync_arrival.inserted + excluded.inserted)
     select count(*)::int as count from gone`,
    [...keys, limit],
  )
  return removed?.count ?? 0
}
