/** Which invoices have news whose lines no run has read since, in SQL. */
import type { Sql } from '#lib/db/tenant.ts'
import { type CompleteScope, gatherSeen, keyOf, toMultirange } from '#lib/ledger/apply/mark-missing.ts'
import type { ClaimedRun } from '../model.ts'
import type { DayOfLines, DueInvoice } from './plan-lines.ts'

type Owner = Pick<ClaimedRun, 'organizationId' | 'connectionId'>

/**
 * Invoices that came, changed (assumption 34) or came back, readable or not, unless their lines
 * were read by a window that began later: of any run, so that what an earlier one left open is not
 * forgotten, and what it has done is not done twice.
 */
const DUE = `
  with bound as materialized (
    select coalesce(lines_followed_upto, '-infinity') as at from connection where organization_id = $1 and id = $2),
  read as materialized (
    select w.* from bound join sync_run r on r.organization_id = $1 and r.connection_id = $2
      and r.data_erased_at is null and coalesce(r.finished_at, 'infinity') >= bound.at
    join sync_window w on w.organization_id = r.organization_id and w.run_id = r.id
    where w.list = 'lines' and w.state = 'complete' and w.invoice_status is null),
  news as (
    select i.serial_number, i.issuing_date, i.stated_line_count, i.news_at as since from invoice i
    where i.organization_id = $1 and i.connection_id = $2 and i.missing_since is null and i.news_at >= (select at from bound)
    union all
    select j.record_id, null, null, j.first_seen_at from rejected_line j
    where j.organization_id = $1 and j.connection_id = $2 and j.list = 'invoices' and j.resolved_at is null
      and j.record_id is not null and j.first_seen_at >= (select at from bound)),
  due as (
    select news.* from news where not exists (
      select from read w where w.started_at > news.since
        and case when w.serial_number is not null then w.serial_number = news.serial_number
                 when w.issued_from is null and w.issued_upto is null then true
                 else news.issuing_date <@ daterange(w.issued_from, w.issued_upto, '[]') end))`

/** The lines of an invoice that does not say how many it has: those of the average one. */
const AVERAGE = `
  (select greatest(1, t.line_count / greatest(1, t.invoice_count))::int from connection_tally t
   where t.organization_id = $1 and t.connection_id = $2)`

/** The invoices that are due, by serial number. */
export function listDue(sql: Sql, { organizationId, connectionId }: Owner): Promise<DueInvoice[]> {
  return sql<DueInvoice>(
    `${DUE} select distinct on (serial_number) serial_number as "serialNumber", issuing_date as "issuingDate",
            coalesce(stated_line_count, ${AVERAGE}, 1) as "lineCount"
     from due order by serial_number, issuing_date nulls last`,
    [organizationId, connectionId],
  )
}

/** Remembers how far no invoice is due, in the transaction that ends a run. */
export async function noteFollowed(sql: Sql, { organizationId, connectionId }: Owner): Promise<void> {
  await sql(
    `${DUE} update connection set lines_followed_upto = least((select min(since) from due), now())
     where organization_id = $1 and id = $2`,
    [organizationId, connectionId],
  )
}

/**
 * Invoices that this run should have met within the `scope` and has not: their lines are looked
 * for.
 */
export async function listVoided(sql: Sql, run: ClaimedRun, scope: CompleteScope): Promise<DueInvoice[]> {
  const seen = await gatherSeen(sql, 'invoices', { ...run, runId: run.id })
  const { ranges, serialNumbers } = scope.isAll ? { ranges: [{ from: null, upto: null }], serialNumbers: [] } : scope
  return sql<DueInvoice>(
    `select i.serial_number as "serialNumber", i.issuing_date as "issuingDate",
            coalesce(i.stated_line_count, ${AVERAGE}, 1) as "lineCount"
     from invoice i left join ${seen} seen on seen.key = ${keyOf('i.serial_number')}
     where i.organization_id = $1 and i.connection_id = $2 and i.missing_since is null
       and (i.issuing_date <@ $3::datemultirange or i.serial_number = any($4::text[]))
       and seen.key is null
     order by i.serial_number`,
    [run.organizationId, run.connectionId, toMultirange(ranges), serialNumbers],
  )
}

/**
 * The days around the due invoices whose invoices this run has read completely, with their lines. A
 * window of other days would judge lines of invoices that may have moved away unseen.
 */
export function listDaysOfLines(
  sql: Sql,
  run: ClaimedRun,
  scope: CompleteScope,
  due: readonly DueInvoice[],
): Promise<DayOfLines[]> {
  const days = due.flatMap(({ issuingDate }) => issuingDate ?? []).sort()
  const ranges = scope.isAll ? [{ from: null, upto: null }] : scope.ranges
  return sql<DayOfLines>(
    `select i.issuing_date as day, sum(coalesce(i.stated_line_count, ${AVERAGE}, 1))::int as "lineCount", r.number::int as stretch
     from unnest($5::datemultirange) with ordinality as r (days, number)
     join invoice i on i.organization_id = $1 and i.connection_id = $2 and i.missing_since is null
       and i.issuing_date between $3::date and $4::date and i.issuing_date <@ r.days
     group by i.issuing_date, r.number order by i.issuing_date`,
    [run.organizationId, run.connectionId, days[0] ?? null, days.at(-1) ?? null, toMultirange(ranges)],
  )
}
