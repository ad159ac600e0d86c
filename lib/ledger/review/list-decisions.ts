/** What was decided, by whom, and how far it is. */
import { withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { MOST_STANDING_COUNTED } from '#lib/reconcile/review/standing-limit.ts'
import { DAYS_SINCE_DECIDED } from '../fields/letter-fields.ts'
import type { Decision, LineReview, ReviewEvent } from '../model.ts'
import { REVIEW_OF_LINE } from './review-columns.ts'
import { listSentLetters } from './sent-letters.ts'

const MOST_LISTED = 100

/**
 * Of a decision about a million lines the whole count took a third of a second. Asked as a range
 * and in order, so that the index answers: where all lines seem to be of one decision the planner
 * would rather look through the table, and where none is left, through all of it.
 */
function countStanding(table: 'line_review' | 'invoice_review'): string {
  return `(select count(*)::int from (select from ${table} v
    where v.organization_id = d.organization_id and v.decision between d.number and d.number
    order by v.decision limit ${MOST_STANDING_COUNTED + 1}) counted)`
}

const DECISION = `d.number::text, d.kind, d.reason_code as reason,
  coalesce(d.reason_words, d.reason_code) as "reasonWords", d.note, d.actor_name as name, d.undo_of::text as "undoOf",
  d.question, d.pick, cardinality(d.picked) as "pickedCount", d.line_count::int as "lineCount", d.invoice_count as "invoiceCount", d.changed_lines::int as "changedLines", d.seen_lines::int as "seenLines", d.totals,
  d.state, to_json(d.decided_at) as at,
  (select u.number::text from decision u where u.organization_id = d.organization_id and u.undo_of = d.number
   order by u.number desc limit 1) as "undoneBy",
  ${countStanding('line_review')} + ${countStanding('invoice_review')} as "standing"`

/** The latest decisions, the latest first; with `before` those that were made before that one. */
export function listDecisions(organizationId: OrganizationId, before: string | null = null): Promise<Decision[]> {
  return withTenantSnapshot(organizationId, (sql) =>
    sql<Decision>(
      `select ${DECISION} from decision d where d.organization_id = $1 and ($2::bigint is null or d.number < $2::bigint)
       order by d.number desc limit ${MOST_LISTED}`,
      [organizationId, before],
    ),
  )
}

/** One decision; null when the organization has none of this number. */
export async function getDecision(organizationId: OrganizationId, number: string): Promise<Decision | null> {
  if (!/^\d{1,15}$/.test(number)) return null
  const [decision] = await withTenantSnapshot(organizationId, (sql) =>
    sql<Decision>(`select ${DECISION} from decision d where d.organization_id = $1 and d.number = $2::bigint`, [
      organizationId,
      number,
    ]),
  )
  return decision ?? null
}

/** Where a line stands, and everything that was decided about it, the latest first. */
export async function getLineReview(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lineId: string,
): Promise<LineReview | null> {
  const values = [organizationId, connectionId, lineId]
  return withTenantSql(organizationId, async (sql) => {
    const [line] = await sql<Omit<LineReview, 'events' | 'letters'>>(
      `select coalesce(v.state, 'open') as state, v.previous_state as previous, v.cause, v.decision::text, l.currency,
         l.total_amount::text as "amountNow", v.currency as "currencyBefore", v.amount::text as "amountBefore",
         v.expected_back::text as "expectedBack",
         l.invoice_serial_number as "invoiceSerialNumber",
         case when 'disputed' in (v.state, v.previous_state) then ${DAYS_SINCE_DECIDED} end as "daysWaiting"
       from line l left join ${REVIEW_OF_LINE}
       left join decision d on d.organization_id = v.organization_id and d.number = v.decision where l.organization_id = $1 and l.connection_id = $2 and l.id = $3`,
      values,
    )
    if (line === undefined) return null
    const decided = await sql<ReviewEvent>(
      `select ${DECISION} from decision_part p
       join line l on l.organization_id = $1 and l.connection_id = $2 and l.id = $3
       join decision d on d.organization_id = p.organization_id and d.number = p.decision
       where p.organization_id = $1 and p.connection_id = $2 and p.invoice_serial_number = l.invoice_serial_number
         and $3 = any (p.line_ids) and $3 <> all (p.left_out) and d.seen_lines > p.lines_before
       order by d.number desc limit ${MOST_LISTED}`,
      values,
    )
    const fell = await sql<ReviewEvent>(
      `select cause, to_json(at) as at, currency_before as "currencyBefore", amount_before::text as "amountBefore",
         currency_after as "currencyAfter", amount_after::text as "amountAfter", decision::text
       from line_fall where organization_id = $1 and connection_id = $2 and line_id = $3 order by id desc limit ${MOST_LISTED}`,
      values,
    )
    const letters = line.daysWaiting === null ? [] : await listSentLetters(sql, organizationId, connectionId, lineId)
    return { ...line, letters, events: [...decided, ...fell].sort((one, other) => (one.at < other.at ? 1 : -1)) }
  })
}
