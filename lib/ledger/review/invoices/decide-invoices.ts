/** Previews and makes decisions about invoices themselves, exactly as they were seen. */
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { writeSeen } from '#lib/reconcile/review/invoice-review.ts'
import { explainsAny } from '#lib/reconcile/review/reasons.ts'
import { needsReason } from '#lib/reconcile/review/review-state.ts'
import type { DecisionPreview, OutcomePart } from '../../model.ts'
import { writeInvoiceQuery } from '../../query/invoice-query.ts'
import {
  AUDITED,
  type Decided,
  type Decider,
  insertDecision,
  NotMade,
  requireOffered,
  takeNumber,
  type Wish,
} from '../decide.ts'
import { toChoices } from '../preview-decision.ts'
import { readReasonList } from '../reason-list.ts'
import { type ChosenInvoice, chooseInvoices, hashInvoices, type InvoicesAsked, sumChosen } from './invoice-set.ts'

/** Whether a decision was about invoices. */
export async function isOfInvoices(organizationId: OrganizationId, decision: string): Promise<boolean> {
  const found = await withTenantSql(organizationId, (sql) =>
    sql('select from decision where organization_id = $1 and number = $2::bigint and invoice_count > 0', [
      organizationId,
      decision,
    ]),
  )
  return found.length > 0
}

/** What would become of every invoice of what is asked, at one moment. Changes nothing. */
export function previewInvoices(organizationId: OrganizationId, asked: InvoicesAsked): Promise<DecisionPreview> {
  return withTenantSnapshot(organizationId, (sql) => readPreview(sql, organizationId, asked))
}

async function readPreview(sql: Sql, organizationId: OrganizationId, asked: InvoicesAsked): Promise<DecisionPreview> {
  const chosen = await chooseInvoices(sql, organizationId, asked)
  const [moment] = await sql<{ at: Date; lastDecision: string }>(
    `select now() as at,
       coalesce((select last_number from decision_head where organization_id = $1), 0)::text as "lastDecision"`,
    [organizationId],
  )
  const { at, lastDecision } = moment as NonNullable<typeof moment>
  const changing = chosen.filter(({ outcome }) => outcome === 'changes')
  const isAsked = asksForReason(asked, changing)
  return {
    of: 'invoice',
    hash: hashInvoices(chosen),
    lineCount: chosen.length,
    parts: toParts(chosen),
    reasons: [...groupBy(changing, ({ proof }) => proof.findings[0]?.code ?? null)].map(([code, own]) => ({
      lineState: own[0]?.own ?? 'ties_out',
      reason: code,
      totals: sumChosen(own),
    })),
    asksForReason: isAsked,
    choices: toChoices((await readReasonList(sql, organizationId)).reasons, asked.kind, isAsked),
    lastDecision,
    at: at.toISOString(),
  }
}

const MOST_SINCE = 3

function toParts(chosen: readonly ChosenInvoice[]): OutcomePart[] {
  return [...groupBy(chosen, ({ outcome, stand }) => `${outcome} ${stand.state}`)].sort().flatMap(([, own]) => {
    const [first] = own
    if (first === undefined) return []
    const { outcome, stand } = first
    const decided = own.flatMap(({ review }) => review ?? [])
    const since = [...groupBy(decided, ({ decision }) => decision)]
      .sort(([one], [other]) => Number(other) - Number(one))
      .slice(0, MOST_SINCE)
      .map(([number, of]) => ({ name: of[0]?.name ?? '', number, at: of[0]?.at ?? '', lineCount: of.length }))
    return { outcome, state: stand.state, totals: sumChosen(own), since: outcome === 'changes' ? [] : since }
  })
}

function asksForReason({ kind }: InvoicesAsked, changing: readonly ChosenInvoice[]): boolean {
  return needsReason(kind, changing.some(({ own }) => own === 'unexplained') ? ['unexplained'] : [])
}

type InvoiceWish = Omit<Wish, 'asked' | 'expectedBack' | 'answer'> & { asked: InvoicesAsked }

/**
 * Decides about exactly the invoices that the hash names, in one transaction with its audit entry,
 * or does nothing and says why. No lock keeps an invoice as it is meanwhile: what is stored is what
 * was seen, and where the invoice is another one by then, the decision has fallen.
 */
export async function decideInvoices(
  organizationId: OrganizationId,
  decider: Decider,
  wish: InvoiceWish,
): Promise<Decided> {
  try {
    return await withTenantSql(organizationId, (sql) => makeDecision(sql, organizationId, decider, wish))
  } catch (error) {
    if (!(error instanceof NotMade)) throw error
    if (error.refusal !== 'changed') return { kind: error.refusal }
    return withTenantSql(organizationId, async (sql) => ({
      kind: 'changed',
      preview: await readPreview(sql, organizationId, wish.asked),
      changes: { came: 0, changed: 0, others: await listOthers(sql, organizationId, wish.lastDecision) },
    }))
  }
}

async function makeDecision(
  sql: Sql,
  organizationId: OrganizationId,
  decider: Decider,
  wish: InvoiceWish,
): Promise<Decided> {
  const { asked } = wish
  const reason = wish.reason === null ? null : await requireOffered(sql, organizationId, asked.kind, wish.reason)
  // whoever decides next waits here, so the set is read as the last decision left it
  const number = await takeNumber(sql, organizationId)
  const chosen = await chooseInvoices(sql, organizationId, asked)
  const changing = chosen.filter(({ outcome }) => outcome === 'changes')
  if (hashInvoices(chosen) !== wish.hash) throw new NotMade('changed')
  if (changing.length === 0) throw new NotMade('nothing')
  if (asksForReason(asked, changing) && (reason === null || !explainsAny(reason.code)))
    throw new NotMade('needs-reason')
  const set = asked.kind === 'undo' ? null : asked.invoices
  const question = set === null ? '' : writeInvoiceQuery(set.query)
  await insertDecision(sql, organizationId, number, decider, { ...wish, reason, question, set })
  const totals = sumChosen(changing)
  await store(sql, organizationId, number, asked, changing)
  // only now: until then it may move what stands in a locked month (close-reviews.sql)
  await sql(
    `update decision set invoice_count = $3, totals = $4::json, state = 'applied', ended_at = now()
     where organization_id = $1 and number = $2`,
    [organizationId, number, changing.length, JSON.stringify(totals)],
  )
  await recordAudit(sql, organizationId, {
    actor: decider.actor,
    action: AUDITED[asked.kind],
    subject: { kind: 'decision', id: number },
    after: {
      invoices: changing.length,
      totals,
      ...(reason && { reason: reason.code, reasonWords: reason.words }),
      ...(asked.kind === 'undo' && { of: asked.decision }),
    },
  })
  return {
    kind: 'decided',
    number,
    lineCount: changing.length,
    changedLines: changing.length,
    isApplied: true,
    totals,
  }
}

/** A row as it was, to be restored when its decision is taken back. */
const AS_IT_WAS = `invoice_as_it_was(v.state, v.decision, v.seen, v.before)`

async function store(
  sql: Sql,
  organizationId: OrganizationId,
  number: string,
  { kind }: InvoicesAsked,
  changing: readonly ChosenInvoice[],
): Promise<void> {
  const own = [
    organizationId,
    number,
    changing.map(({ proof }) => proof.connectionId),
    changing.map(({ proof }) => proof.serialNumber),
    changing.map(({ seen }) => JSON.stringify(seen)),
  ]
  await sql(
    `insert into decision_invoice (organization_id, decision, connection_id, invoice_serial_number, seen_hash)
     select $1, $2, * from unnest($3::uuid[], $4::text[], $5::text[])
     returning 1`,
    [...own.slice(0, 4), changing.map(({ seen }) => hashText(writeSeen(seen)))],
  )
  if (kind === 'accept' || kind === 'dispute')
    await sql(
      `insert into invoice_review as v (organization_id, connection_id, invoice_serial_number, state, decision, seen)
       select $1, connection_id, serial_number, $6, $2, seen
       from unnest($3::uuid[], $4::text[], $5::jsonb[]) as named (connection_id, serial_number, seen)
       on conflict (organization_id, connection_id, invoice_serial_number) do update
         set state = excluded.state, decision = excluded.decision, seen = excluded.seen, before = ${AS_IT_WAS}`,
      [...own, kind === 'accept' ? 'accepted' : 'disputed'],
    )
  else
    await sql(
      `with named as (select * from unnest($2::uuid[], $3::text[]) as named (connection_id, serial_number)),
       opened as (
         delete from invoice_review v using named n
         where v.organization_id = $1 and v.connection_id = n.connection_id and v.invoice_serial_number = n.serial_number
           and v.before is null)
       update invoice_review v
       set state = v.before ->> 'state', decision = (v.before ->> 'decision')::bigint, seen = v.before -> 'seen',
           before = nullif(v.before -> 'before', 'null')
       from named n
       where v.organization_id = $1 and v.connection_id = n.connection_id and v.invoice_serial_number = n.serial_number
         and v.before is not null`,
      [organizationId, own[2], own[3]],
    )
}

async function listOthers(sql: Sql, organizationId: OrganizationId, lastDecision: string) {
  return sql<{ name: string; number: string; lineCount: number }>(
    `select actor_name as name, number::text, greatest(line_count, invoice_count)::int as "lineCount" from decision
     where organization_id = $1 and number > $2::bigint order by number desc limit ${MOST_SINCE}`,
    [organizationId, lastDecision],
  )
}
