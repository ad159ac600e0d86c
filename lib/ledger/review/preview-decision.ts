/** What a decision would do, said before it is made. */
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { listOffered, type Reason } from '#lib/reconcile/review/reasons.ts'
import { type DecisionKind, needsReason, type Outcome, type ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import type { LineState } from '#lib/reconcile/verdict.ts'
import type { DecisionPreview, OutcomePart, ReasonPart, SetTotal } from '../model.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type Asked, readyAsked, toChosen, toSetHash } from './line-set.ts'
import { type ReasonList, readReasonList } from './reason-list.ts'

type Counted = SetTotal & { outcome: Outcome; state: ReviewChoice }
type Explained = SetTotal & { lineState: LineState; reason: string | null }
type Since = OutcomePart['since'][number] & { outcome: Outcome; state: ReviewChoice }

/** Of the latest few people only: the page of decisions has them all. */
const MOST_SINCE = 3

/** What would become of every line of what is asked, at one moment. Changes nothing. */
export function previewDecision(organizationId: OrganizationId, asked: Asked): Promise<DecisionPreview> {
  return withTenantSnapshot(organizationId, (sql) => readPreview(sql, organizationId, asked))
}

/** The same in the caller's transaction. */
export async function readPreview(sql: Sql, organizationId: OrganizationId, asked: Asked): Promise<DecisionPreview> {
  const parameters = createSqlParameters()
  const chosen = toChosen(organizationId, await readyAsked(sql, organizationId, asked), parameters, false)
  const organization = `${parameters.add(organizationId)}::uuid`
  const [row] = await sql<{
    hash: string
    lineCount: number
    counted: Counted[]
    explained: Explained[]
    since: Since[]
    lastDecision: string
    at: Date
  }>(
    `with ${chosen},
     kind as materialized (
       select outcome, state, decision, currency, line_state, case line_state when 'unexplained' then null else reason end as reason,
         count(*) as lines, sum(total_amount) as total_amount, sum(difference) as difference, sum(hash) as hash, sum(other_hash) as other_hash
       from chosen group by 1, 2, 3, 4, 5, 6)
     select ${toSetHash('coalesce(sum(lines), 0)')} as hash, coalesce(sum(lines), 0)::int as "lineCount", now() as at,
       coalesce((select json_agg(t) from (
         select outcome, state, ${TOTALS} from kind group by outcome, state, currency
         order by outcome, state, currency) t), '[]') as counted,
       coalesce((select json_agg(t) from (
         select line_state as "lineState", reason, ${TOTALS}
         from kind where outcome = 'changes' and line_state is not null group by 1, 2, currency
         order by sum(lines) desc, 2, currency) t), '[]') as explained,
       coalesce((select json_agg(t) from (
         select k.outcome, k.state, d.actor_name as name, d.number::text, to_json(d.decided_at) as at, sum(k.lines)::int as "lineCount"
         from kind k join decision d on d.organization_id = ${organization} and d.number = k.decision
         where k.outcome <> 'changes' group by 1, 2, d.organization_id, d.number order by d.number desc) t), '[]') as since,
       coalesce((select last_number from decision_head where organization_id = ${organization}), 0)::text as "lastDecision"
     from kind`,
    parameters.values,
  )
  return toPreview(row as NonNullable<typeof row>, asked, await readReasonList(sql, organizationId))
}

const TOTALS = `currency, sum(lines)::int as "lineCount", sum(total_amount)::text as "totalAmount", sum(difference)::text as difference`

type Read = { hash: string; lineCount: number; counted: Counted[]; explained: Explained[]; since: Since[] } & {
  lastDecision: string
  at: Date
}

function toPreview(
  { counted, explained, since, at, ...read }: Read,
  { kind }: Asked,
  { reasons: kept }: ReasonList,
): DecisionPreview {
  const parts = new Map<string, OutcomePart>()
  for (const { outcome, state, ...total } of counted) {
    const part = parts.get(`${outcome} ${state}`) ?? { outcome, state, totals: [], since: [] }
    parts.set(`${outcome} ${state}`, { ...part, totals: [...part.totals, total] })
  }
  for (const { outcome, state, ...each } of since) {
    const part = parts.get(`${outcome} ${state}`)
    if (part !== undefined && part.since.length < MOST_SINCE) part.since.push(each)
  }
  const reasons = new Map<string, ReasonPart>()
  for (const { lineState, reason, ...total } of explained) {
    const part = reasons.get(`${lineState} ${reason}`) ?? { lineState, reason, totals: [] }
    reasons.set(`${lineState} ${reason}`, { ...part, totals: [...part.totals, total] })
  }
  const asksForReason = needsReason(
    kind,
    explained.map(({ lineState }) => lineState),
  )
  return {
    of: 'line',
    ...read,
    parts: [...parts.values()],
    reasons: [...reasons.values()],
    asksForReason,
    choices: toChoices(kept, kind, asksForReason),
    at: at.toISOString(),
  }
}

/** What may be chosen as the reason of such a decision. */
export function toChoices(
  reasons: readonly Reason[],
  kind: DecisionKind,
  asksForReason: boolean,
): DecisionPreview['choices'] {
  if (kind !== 'accept' && kind !== 'dispute') return []
  return listOffered(reasons, kind, asksForReason).map(({ code, words }) => ({ code, words }))
}
