/**
 * The exact set of lines that a decision is about, before it is made and when it is made
 * (docs/decisions/058-decisions.md).
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type SetVerb, statesWith } from '#lib/reconcile/review/review-state.ts'
import type { FoundInvoices } from '../conditions/found-invoices.ts'
import { toLineConditions, toNamedLines } from '../conditions/line-conditions.ts'
import { toLines } from '../conditions/line-source.ts'
import { LINE_DIFFERENCE, toLineState } from '../fields/line-fields.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { LineQuery } from '../query/line-query.ts'
import { joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'
import { REVIEW_OF_LINE, toAllBeside, toSeenHash } from './review-columns.ts'

/**
 * Lines of a list, all or all but these, or single ones of it. A line is named
 * `<connection id>~<line id>`, as in an address.
 */
type LineSet = { query: LineQuery; only?: readonly string[]; except?: readonly string[] }

/** The same, with the names and the text of its query looked up. */
type ReadySet = LineSet & { found: FoundInvoices | null }

/** What is decided about: a set by a verb, or everything that one decision changed, to undo it. */
export type Asked = { kind: SetVerb; set: LineSet } | { kind: 'undo'; decision: string }

/** As it is put to the database. */
type Ready = { kind: SetVerb; set: ReadySet } | Extract<Asked, { kind: 'undo' }>

/** Looks up what the set's query names in words. */
export async function readyAsked(sql: Sql, organizationId: OrganizationId, asked: Asked): Promise<Ready> {
  if (asked.kind === 'undo') return asked
  const query = await spellOut(sql, organizationId, asked.set.query)
  return { ...asked, set: { ...asked.set, query, found: await findInvoicesOfText(sql, organizationId, query) } }
}

/**
 * SQL of a common table `chosen` with a row for each line of what is asked: its key, its money,
 * where it stands, and what becomes of it; `seen` as well when it is to be kept, which of a million
 * lines takes longer than all the rest. Who keeps nothing asks it once, so no row is stored.
 */
export function toChosen(
  organizationId: OrganizationId,
  asked: Ready,
  parameters: SqlParameters,
  isKept: boolean,
): string {
  const outcome = asked.kind === 'undo' ? toUndoOutcome(asked.decision, parameters) : toOutcome(asked.kind)
  const [from, condition] =
    asked.kind === 'undo'
      ? toDecided(organizationId, asked.decision, parameters)
      : ['line l', toSetCondition(organizationId, asked.set, parameters)]
  return `chosen as ${isKept ? 'materialized ' : ''}(
    select l.connection_id, l.invoice_serial_number, l.id, l.currency, l.total_amount, ${LINE_DIFFERENCE} as difference,
           coalesce(v.state, 'open') as state, coalesce(v.decision, 0) as decision, ${outcome} as outcome,
           ${toLineHash(0, outcome)} as hash, ${toLineHash(1, outcome)} as other_hash, l.finding_count,
           ${isKept ? `${toSeenHash('l', 'beside.found')} as seen,` : ''}
           case when l.finding_count > 0 then ${toLineState('l')} end as line_state, l.reason_codes[1] as reason
    from ${from} left join ${REVIEW_OF_LINE}
    left join ${toAllBeside(`${parameters.add(organizationId)}::uuid`)} where ${condition})`
}

/**
 * Of one line: its record and its proof, where it stands, and what becomes of it. Whatever is seen
 * of a line (`toSeenHash`) is in its record, in its proof or beside it.
 */
const toLineHash = (seed: number, outcome: string) =>
  `hash_record_extended(row(l.connection_id, l.id, l.content_hash, l.proof_version, l.invoice_serial_number, l.currency, l.tax_amount,
     l.total_amount, l.finding_codes, coalesce(l.explained_codes, '{}'), l.missing_since is not null, beside.found, ${outcome}, coalesce(v.state, 'open'),
     coalesce(v.decision, 0)), ${seed})`

/**
 * The hash of `chosen`: another one whenever a line comes, goes, changes or is decided. Sums, which
 * know no order: to sort a million lines takes longer than all the rest.
 */
export const toSetHash = (count: string): string =>
  `encode(sha256(convert_to(concat_ws(' ', ${count}, sum(hash), sum(other_hash)), 'UTF8')), 'hex')`

function toOutcome(verb: SetVerb): string {
  const listOf = (outcome: 'changes' | 'already') =>
    statesWith(verb, outcome)
      .map((state) => `'${state}'`)
      .join(', ')
  return `case when coalesce(v.state, 'open') in (${listOf('changes')}) then 'changes'
    when coalesce(v.state, 'open') in (${listOf('already')}) then 'already' else 'cannot' end`
}

/** What was decided anew since stays as it is, and what was taken back is as wanted. */
function toUndoOutcome(decision: string, parameters: SqlParameters): string {
  const number = `${parameters.add(decision)}::bigint`
  return `case when v.decision = ${number} then 'changes' when coalesce(v.decision, 0) < ${number} then 'already' else 'cannot' end`
}

function toDecided(organizationId: OrganizationId, decision: string, parameters: SqlParameters): [string, string] {
  const organization = `${parameters.add(organizationId)}::uuid`
  return [
    `decision_part p cross join unnest(p.line_ids) as named (id)
     join line l on l.organization_id = p.organization_id and l.connection_id = p.connection_id and l.id = named.id`,
    `p.organization_id = ${organization} and p.decision = ${parameters.add(decision)}::bigint and named.id <> all (p.left_out)`,
  ]
}

function toSetCondition(organizationId: OrganizationId, set: ReadySet, parameters: SqlParameters): string {
  const { query, only, except, found } = set
  return joinConditions([
    toLineConditions(organizationId, query, parameters, toLines(query), found),
    only === undefined ? null : `(l.connection_id, l.id) in (${toNamedLines(only, parameters)})`,
    except === undefined ? null : `(l.connection_id, l.id) not in (${toNamedLines(except, parameters)})`,
  ])
}
