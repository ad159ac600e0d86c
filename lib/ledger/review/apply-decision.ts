/** Applies decisions to their lines, part by part. Each transaction leaves whole parts. */
import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type DecisionKind, type SetVerb, STATE_AFTER } from '#lib/reconcile/review/review-state.ts'
import { keepStatistics } from '../apply/keep-statistics.ts'
import { refreshReviewStatistics } from '../apply/refresh-statistics.ts'
import { LINE_DIFFERENCE } from '../fields/line-fields.ts'
import { toFoundBeside, toSeenHash } from './review-columns.ts'

/** So many lines are applied in one transaction; a decision about more is the worker's. */
export const MOST_AT_ONCE = 2000

type Batch = { kind: DecisionKind; undoOf: string | null; seenLines: string; lineCount: string }

/**
 * Applies the next parts of a decision in the caller's transaction, until at least `MOST_AT_ONCE`
 * lines were looked at or none is left. A line that has changed since it was seen, or that somebody
 * decided later, is left out and named in its part. @returns how many lines changed.
 */
export async function applyBatch(
  sql: Sql,
  organizationId: OrganizationId,
  number: string,
  expectedBack: DecimalText | null = null,
): Promise<number> {
  const [batch] = await sql<Batch>(
    `select kind, undo_of::text as "undoOf", seen_lines::text as "seenLines", line_count::text as "lineCount"
     from decision where organization_id = $1 and number = $2 and state = 'applying' for update`,
    [organizationId, number],
  )
  if (batch === undefined) return 0
  const window = [organizationId, number, batch.seenLines, `${Number(batch.seenLines) + MOST_AT_ONCE}`]
  // as whoever writes lines (tally.sql): what is read of a line from here on is how it is
  await sql(
    `select from connection_tally where organization_id = $1 and connection_id in (
       select connection_id from decision_part p where ${WINDOW}) order by connection_id for update`,
    window,
  )
  const done = await (isSet(batch.kind)
    ? write(sql, window, batch.kind, expectedBack)
    : takeBack(sql, window, batch.undoOf))
  await sql(
    `update decision set seen_lines = seen_lines + $3, changed_lines = changed_lines + $4,
       state = case when seen_lines + $3 >= line_count then 'applied' else state end,
       ended_at = ${momentIf('seen_lines + $3 >= line_count')}
     where organization_id = $1 and number = $2`,
    [organizationId, number, done.seen, done.changed],
  )
  return done.changed
}

/** Verbs that give a line a state of their own; the others give back the one before. */
type Setting = Exclude<SetVerb, 'withdraw'>

function isSet(kind: DecisionKind): kind is Setting {
  return kind !== 'withdraw' && kind !== 'undo'
}

type Done = { seen: number; changed: number }

const WINDOW =
  'p.organization_id = $1 and p.decision = $2 and p.lines_before >= $3::bigint and p.lines_before < $4::bigint'

/** The lines of the batch as they are, of those that are still what was seen. */
const NAMED = `part as materialized (
    select p.number, p.connection_id, named.id, named.seen
    from decision_part p cross join unnest(p.line_ids, p.seen_hashes) as named (id, seen) where ${WINDOW}),
  line_now as materialized (
    select part.number, l.connection_id, l.id, l.currency, l.total_amount, ${LINE_DIFFERENCE} as difference, part.seen,
           ${toSeenHash('l', toFoundBeside('l', '$1::uuid'))} as hash
    from part join line l on l.organization_id = $1 and l.connection_id = part.connection_id and l.id = part.id)`

/**
 * What did not change is named in its part. The last table says what was done. Both are counted
 * together: where the planner expects a line or two, it would look through one for each of the
 * other, and taking back 100,000 lines took half a minute.
 */
const COUNTED = `missed as (
    select number, array_agg(id order by id) as ids
    from (select max(number) as number, id
          from (select number, connection_id, id from part union all select null, connection_id, line_id from done) both_of
          group by connection_id, id having count(*) = 1) rest
    group by number),
  noted as (
    update decision_part p set left_out = missed.ids from missed
    where p.organization_id = $1 and p.decision = $2 and p.number = missed.number)
  select (select count(*)::int from part) as seen, (select count(*)::int from done) as changed`

/** A row as it was, to be restored when its decision is taken back. */
const AS_IT_WAS = `line_as_it_was(v.state, v.decision, v.seen_hash, v.currency, v.amount, v.expected_back, v.previous_state, v.cause,
  v.suspended_at, v.before)`

async function write(sql: Sql, window: unknown[], kind: Setting, expectedBack: DecimalText | null): Promise<Done> {
  const [done] = await sql<Done>(
    `with ${NAMED},
     done as (
       insert into line_review as v (organization_id, connection_id, line_id, state, decision, seen_hash, currency, amount, expected_back)
       select $1, connection_id, id, $5, $2, seen, currency, total_amount,
         case when $5 = 'disputed' then coalesce($6::numeric, case when difference > 0 then difference when total_amount > 0 then total_amount end) end
       from line_now where hash = seen order by connection_id, id
       on conflict (organization_id, connection_id, line_id) do update
         set state = excluded.state, decision = excluded.decision, seen_hash = excluded.seen_hash, currency = excluded.currency,
             amount = excluded.amount,
             expected_back = case when excluded.state = 'settled' then v.expected_back else excluded.expected_back end, previous_state = null, cause = null,
             suspended_at = null, before = ${AS_IT_WAS}
         where v.decision < excluded.decision
       returning v.connection_id, v.line_id),
     ${COUNTED}`,
    [...window, STATE_AFTER[kind], expectedBack],
  )
  return done as Done
}

/**
 * What a line was before comes back. What has changed since that was decided is suspended, and what
 * was suspended is not where the line is again what was seen. Each line's state is looked up by its
 * key: of a decision made a minute ago the planner has no statistics and expects a single line, and
 * then looks through all of that decision for each (`offset 0` keeps the condition out of reach).
 */
async function takeBack(sql: Sql, window: unknown[], undoOf: string | null): Promise<Done> {
  const [done] = await sql<Done>(
    `with ${NAMED},
     held as materialized (
       select v.connection_id, v.line_id, v.before, n.hash, n.hash = decode(v.before ->> 'seen', 'hex') as is_as_seen,
              coalesce(v.before ->> 'previous', v.before ->> 'state') as decided, n.currency, n.total_amount,
              coalesce((v.before ->> 'at')::timestamptz, now()) as fallen_at
       from line_now n cross join lateral (
         select r.connection_id, r.line_id, r.decision, r.before from line_review r
         where r.organization_id = $1 and r.connection_id = n.connection_id and r.line_id = n.id offset 0) v
       where n.hash = n.seen and case when $5::bigint is null then v.decision < $2::bigint else v.decision = $5::bigint end),
     opened as (
       delete from line_review v using held h
       where v.organization_id = $1 and v.connection_id = h.connection_id and v.line_id = h.line_id and h.before is null
       returning v.connection_id, v.line_id),
     restored as (
       update line_review v
       set decision = (h.before ->> 'decision')::bigint, seen_hash = decode(h.before ->> 'seen', 'hex'), currency = h.before ->> 'currency',
           amount = (h.before ->> 'amount')::numeric, expected_back = (h.before ->> 'expected')::numeric,
           state = case when h.is_as_seen then h.decided else 'suspended' end,
           previous_state = case when h.is_as_seen then null else h.decided end,
           cause = case when h.is_as_seen then null else coalesce(h.before ->> 'cause', 'changed') end,
           suspended_at = case when h.is_as_seen then null else h.fallen_at end,
           before = case when jsonb_typeof(h.before -> 'before') = 'object' then h.before -> 'before' end
       from held h
       where v.organization_id = $1 and v.connection_id = h.connection_id and v.line_id = h.line_id and h.before is not null
       returning v.connection_id, v.line_id),
     told as (
       insert into line_fall (organization_id, connection_id, line_id, decision, cause, currency_before, amount_before, currency_after, amount_after)
       select $1, connection_id, line_id, (before ->> 'decision')::bigint, case when is_as_seen then null else 'changed' end,
              before ->> 'currency', (before ->> 'amount')::numeric, currency, total_amount
       from held where before is not null and is_as_seen = (before ->> 'state' = 'suspended')
       returning 1),
     done as (select * from opened union all select * from restored),
     ${COUNTED}`,
    [...window, undoOf],
  )
  return done as Done
}

/**
 * Applies every large decision that somebody made, of any organization, until none is left or
 * `signal` fires. Where a worker ended in the middle, another goes on with the next parts. The
 * planner hears of it meanwhile: what it knew of a table that was emptied, by taking back, is wrong
 * a moment later, and a page of 900,000 decided lines took 4 s.
 */
export async function applyDecisions(signal: AbortSignal): Promise<void> {
  const open = await withSystemSql((sql) =>
    sql<{ organizationId: OrganizationId; number: string }>(
      `select organization_id as "organizationId", number::text from decision where state = 'applying' order by decided_at limit 100`,
    ),
  )
  for (const { organizationId, number } of open) {
    const about = { organization: organizationId, decision: number }
    const statistics = keepStatistics(
      (isRough) => refreshReviewStatistics(organizationId, { isRough }),
      (thrown) => log.warn({ ...about, reason: String(thrown) }, 'statistics could not be refreshed'),
    )
    let isOpen = true
    while (isOpen && !signal.aborted) {
      const batch = await withTenantSql(organizationId, async (sql) => {
        const changed = await applyBatch(sql, organizationId, number)
        const [left] = await sql(
          `select from decision where organization_id = $1 and number = $2 and state = 'applying'`,
          [organizationId, number],
        )
        return { changed, isLast: left === undefined }
      })
      statistics.note(batch.changed)
      isOpen = !batch.isLast
    }
    await statistics.settle()
    if (!isOpen) log.info(about, 'decision applied')
  }
}
