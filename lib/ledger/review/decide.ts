/** Makes a decision about exactly the set of lines that somebody has seen. */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Fit } from '#lib/reconcile/dispute/answer.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { explainsAny, type Reason } from '#lib/reconcile/review/reasons.ts'
import { type DecisionKind, needsReason } from '#lib/reconcile/review/review-state.ts'
import type { LineState } from '#lib/reconcile/verdict.ts'
import type { DecisionPreview, SetTotal } from '../model.ts'
import { writeLineQuery } from '../query/line-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { applyBatch, MOST_AT_ONCE } from './apply-decision.ts'
import { type Asked, readyAsked, toChosen, toSetHash } from './line-set.ts'
import { listConfirmed } from './list-confirmed.ts'
import { readPreview } from './preview-decision.ts'
import { readReasonList } from './reason-list.ts'

/**
 * `hash`, `at` and `lastDecision`: of the preview that was seen. `expectedBack`: of a dispute about
 * one line; without it, each line's difference, or all of a line that has none. `reason`: the code
 * of one that the organization offers.
 */
export type Wish = {
  asked: Asked
  hash: string
  at: string
  lastDecision: string
  reason: string | null
  note: string | null
  expectedBack: DecimalText | null
  /** Of a settled dispute: the later lines that answer it. None of them may answer another one. */
  answer?: Fit
  /** The rule that decides for its owner, and the version that counts. */
  rule?: { id: string; version: number; name: string }
}

/** Who decides; `name` is copied, as people read it. */
export type Decider = { actor: Actor; name: string }

/** What happened to the set since it was seen. `others`: decisions made since, and by whom. */
type SetChanges = {
  came: number
  changed: number
  others: { name: string; number: string; lineCount: number }[]
}

/**
 * `changed`: the set is another one than was seen; nothing was done, and this is how it is now.
 * `needs-reason`: money that nothing explains. `no-reason`, `retired-reason`: the organization has
 * none of this code, or no longer offers it. `nothing`: no line would change.
 */
export type Decided =
  | { kind: 'decided'; number: string; lineCount: number; changedLines: number; isApplied: boolean; totals: SetTotal[] }
  | { kind: 'changed'; preview: DecisionPreview; changes: SetChanges }
  | { kind: 'needs-reason' | 'no-reason' | 'retired-reason' | 'nothing' | 'answer-used' }

type Refusal = Exclude<Decided['kind'], 'decided'>

/** Thrown to undo what was begun: it is not what was seen. */
export class NotMade extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/**
 * Decides about exactly the set that the hash names, in one transaction with its audit entry, or
 * does nothing and says why. Up to `MOST_AT_ONCE` lines stand as decided when it resolves; more are
 * applied by the worker, part by part.
 */
export async function decide(organizationId: OrganizationId, decider: Decider, wish: Wish): Promise<Decided> {
  try {
    return await withTenantSql(organizationId, (sql) => makeDecision(sql, organizationId, decider, wish))
  } catch (error) {
    if (!(error instanceof NotMade)) throw error
    if (error.refusal !== 'changed') return { kind: error.refusal }
    return withTenantSql(organizationId, async (sql) => ({
      kind: 'changed',
      preview: await readPreview(sql, organizationId, wish.asked),
      changes: await readChanges(sql, organizationId, wish),
    }))
  }
}

type Frozen = { hash: string; lineCount: number; partCount: number; totals: SetTotal[]; isUnexplained: boolean }

async function makeDecision(sql: Sql, organizationId: OrganizationId, decider: Decider, wish: Wish): Promise<Decided> {
  const { asked } = wish
  const reason = wish.reason === null ? null : await requireOffered(sql, organizationId, asked.kind, wish.reason)
  const number = await takeNumber(sql, organizationId)
  const set = asked.kind === 'undo' ? null : asked.set
  if (wish.answer && (await isUsed(sql, organizationId, wish.answer))) throw new NotMade('answer-used')
  const question = set === null ? '' : writeLineQuery(set.query)
  await insertDecision(sql, organizationId, number, decider, { ...wish, reason, question, set })
  // as whoever applies it: its row before the tally's, which the parts take (close-decisions.sql)
  if (asked.kind === 'undo')
    await sql('select from decision where organization_id = $1 and number = $2 for update', [
      organizationId,
      asked.decision,
    ])
  const { hash, lineCount, totals, isUnexplained } = await freeze(sql, organizationId, number, asked)
  if (hash !== wish.hash) throw new NotMade('changed')
  if (lineCount === 0) throw new NotMade('nothing')
  const states: LineState[] = isUnexplained ? ['unexplained'] : []
  if (needsReason(asked.kind, states) && (reason === null || !explainsAny(reason.code)))
    throw new NotMade('needs-reason')
  await sql('update decision set line_count = $3, totals = $4::json where organization_id = $1 and number = $2', [
    organizationId,
    number,
    lineCount,
    JSON.stringify(totals),
  ])
  if (asked.kind === 'undo')
    await sql(
      `update decision set state = 'stopped', ended_at = now() where organization_id = $1 and number = $2 and state = 'applying'`,
      [organizationId, asked.decision],
    )
  const isApplied = lineCount <= MOST_AT_ONCE
  const changedLines = isApplied ? await applyBatch(sql, organizationId, number, wish.expectedBack) : 0
  if (!isApplied) await wakeWorkers(sql)
  await recordAudit(sql, organizationId, {
    actor: decider.actor,
    action: AUDITED[asked.kind],
    subject: { kind: 'decision', id: number },
    after: {
      lines: lineCount,
      totals,
      ...(wish.answer && { answeredBy: wish.answer.terms.map(({ lineId }) => lineId) }),
      ...(reason && { reason: reason.code, reasonWords: reason.words }),
      ...(asked.kind === 'undo' && { of: asked.decision }),
      ...(wish.rule && { rule: wish.rule.name, version: wish.rule.version }),
    },
  })
  return { kind: 'decided', number, lineCount, changedLines, isApplied, totals }
}

/**
 * What is kept of a wish before its set is known. `question`: the address of its list; `set`: which
 * of the list were picked, by name, or left out; null of an undo.
 */
type Wished = Pick<Wish, 'hash' | 'note' | 'answer' | 'rule'> & {
  asked: { kind: Exclude<DecisionKind, 'undo'> } | { kind: 'undo'; decision: string }
  reason: Reason | null
  question: string
  set: { only?: readonly string[]; except?: readonly string[] } | null
}

export async function insertDecision(
  sql: Sql,
  organizationId: OrganizationId,
  number: string,
  { actor, name }: Decider,
  { asked, hash, reason, note, answer, rule, question, set }: Wished,
): Promise<void> {
  await sql(
    `insert into decision (organization_id, number, kind, reason_code, reason_words, note, actor_kind, actor_id, actor_name, undo_of,
       question, pick, picked, set_hash, answer, rule_id, rule_version, line_count, totals, state, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::jsonb, $16, $17, 0, '[]', 'applying', now())`,
    [
      organizationId,
      number,
      asked.kind,
      reason?.code ?? null,
      reason?.words ?? null,
      note,
      rule === undefined ? actor.kind : 'rule',
      userIdOf(actor),
      name,
      asked.kind === 'undo' ? asked.decision : null,
      question,
      set === null ? null : set.only ? 'only' : set.except?.length ? 'except' : 'all',
      set?.only ?? (set?.except?.length ? set.except : null),
      hash,
      answer === undefined ? null : JSON.stringify(answer),
      rule?.id ?? null,
      rule?.version ?? null,
    ],
  )
}

export const AUDITED = {
  accept: 'review.accepted',
  dispute: 'review.disputed',
  settle: 'review.settled',
  withdraw: 'review.withdrawn',
  undo: 'review.undone',
} as const satisfies Record<DecisionKind, string>

/** The reason as it reads now. */
export async function requireOffered(
  sql: Sql,
  organizationId: OrganizationId,
  of: DecisionKind,
  code: string,
): Promise<Reason> {
  const { reasons } = await readReasonList(sql, organizationId)
  const reason = reasons.find((each) => each.kind === of && each.code === code)
  if (reason === undefined) throw new NotMade('no-reason')
  if (reason.isRetired) throw new NotMade('retired-reason')
  return reason
}

/** Whether one of these lines answers a settled dispute already. Who decides waits in turn. */
async function isUsed(sql: Sql, organizationId: OrganizationId, { terms }: Fit): Promise<boolean> {
  const used = await listConfirmed(sql, organizationId)
  return terms.some(({ candidateId }) => used.has(candidateId))
}

/** The next number, without a gap: whoever decides next waits until this decision is made. */
export async function takeNumber(sql: Sql, organizationId: OrganizationId): Promise<string> {
  const [head] = await sql<{ number: string }>(
    `insert into decision_head as h (organization_id, last_number) values ($1, 1)
     on conflict (organization_id) do update set last_number = h.last_number + 1 returning last_number::text as number`,
    [organizationId],
  )
  return head?.number as string
}

/** Writes down the lines that the decision changes, and says what the whole set is. */
async function freeze(sql: Sql, organizationId: OrganizationId, number: string, asked: Asked): Promise<Frozen> {
  const parameters = createSqlParameters()
  const chosen = toChosen(organizationId, await readyAsked(sql, organizationId, asked), parameters, true)
  const [frozen] = await sql<Frozen>(
    `with ${chosen},
     invoice_part as materialized (
       select connection_id, invoice_serial_number, array_agg(id order by id collate "C") as ids,
              array_agg(seen order by id collate "C") as hashes, count(*) as lines
       from chosen where outcome = 'changes' group by 1, 2),
     part as (
       insert into decision_part (organization_id, decision, number, connection_id, invoice_serial_number, line_ids, seen_hashes, lines_before)
       select ${parameters.add(organizationId)}::uuid, ${parameters.add(number)}::bigint, row_number() over (order by connection_id, invoice_serial_number),
              connection_id, invoice_serial_number, ids, hashes,
              sum(lines) over (order by connection_id, invoice_serial_number) - lines
       from invoice_part
       returning 1)
     select ${toSetHash('count(*)')} as hash, count(*) filter (where outcome = 'changes')::int as "lineCount",
       coalesce(bool_or(line_state = 'unexplained') filter (where outcome = 'changes'), false) as "isUnexplained",
       coalesce((select json_agg(t) from (
         select currency, count(*)::int as "lineCount", sum(total_amount)::text as "totalAmount", sum(difference)::text as difference
         from chosen where outcome = 'changes' group by currency order by currency) t), '[]') as totals
     from chosen`,
    parameters.values,
  )
  return frozen as Frozen
}

/** Why the set is another one. Lines that are no longer in it have changed, or are decided. */
async function readChanges(sql: Sql, organizationId: OrganizationId, wish: Wish): Promise<SetChanges> {
  const parameters = createSqlParameters()
  const chosen = toChosen(organizationId, await readyAsked(sql, organizationId, wish.asked), parameters, false)
  const [at, organization] = [`${parameters.add(wish.at)}::timestamptz`, `${parameters.add(organizationId)}::uuid`]
  const [row] = await sql<SetChanges>(
    `with ${chosen}
     select count(*) filter (where l.first_seen_at > ${at})::int as came,
       count(*) filter (where l.first_seen_at <= ${at} and l.changed_at > ${at})::int as changed,
       coalesce((select json_agg(t) from (
         select d.actor_name as name, d.number::text, d.line_count::int as "lineCount" from decision d
         where d.organization_id = ${organization} and d.number > ${parameters.add(wish.lastDecision)}::bigint
         order by d.number desc limit 3) t), '[]') as others
     from chosen c join line l on l.organization_id = ${organization} and l.connection_id = c.connection_id and l.id = c.id`,
    parameters.values,
  )
  return row as SetChanges
}
