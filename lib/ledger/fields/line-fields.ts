/** What the ledger stores of a line: the platform's fields, the owner, and the proof. */
import type { DecimalText } from '#lib/reconcile/money.ts'
import { LINE_FIELDS, type ShownField } from '#lib/reconcile/records.ts'
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { type FileRowOf, toFileValues, toSelectList } from './record-columns.ts'

/** Whose a record is. */
export const OWNER_FIELDS = {
  connectionId: { column: 'connection_id', type: 'uuid', in: 'row' },
} as const satisfies Record<string, ShownField>

/**
 * What our proof says of a line: expected amounts, differences (stated - expected), the codes of
 * its findings and notes, and why it fails.
 */
export const PROOF_FIELDS = {
  expectedTotal: { column: 'expected_total_amount', type: 'numeric', in: 'detail' },
  /** Also stored when it is zero. */
  difference: { column: 'difference', type: 'numeric', in: 'row' },
  expectedTax: { column: 'expected_tax_amount', type: 'numeric', in: 'detail' },
  taxDifference: { column: 'tax_difference', type: 'numeric', in: 'row' },
  findingCodes: { column: 'finding_codes', type: 'text[]', separator: ' ', in: 'row' },
  noteCodes: { column: 'note_codes', type: 'text[]', separator: ' ', in: 'row' },
  /** The failed checks that have a reason, whether they count or not. Null: nobody has looked. */
  explainedCodes: { column: 'explained_codes', type: 'text[]', isOptional: true, separator: ' ', in: 'row' },
  /** Every convention that gives a stated figure, also by chance; null as above. */
  reasonCodes: { column: 'reason_codes', type: 'text[]', isOptional: true, separator: ' ', in: 'row' },
} as const satisfies Record<string, ShownField>

export const STORED_LINE_FIELDS = { ...OWNER_FIELDS, ...LINE_FIELDS, ...PROOF_FIELDS }

const ACCOUNT_NAME = 'c.name'

/** The same where the list has no `connection c`. */
export const ACCOUNT_NAME_OF_LINE =
  '(select c.name from connection c where c.organization_id = l.organization_id and c.id = l.connection_id)'

/** SQL of `stateOf` for a line, of rows of `line`. */
export const toLineState = (alias: string) =>
  `line_state(${['finding_codes', 'explained_codes', 'reason_codes', 'difference', 'tax_difference', 'currency']
    .map((column) => `${alias}.${column}`)
    .join(', ')})`

/** The same of a line with findings (`l`), packed for sums (roll-ups.sql). */
export const STATE_OF_FLAGGED = `pack_state(${toLineState('l')})`

/**
 * SQL of a value of the line `l` that only lines with findings have, else 0. `value` is of the same
 * line as `f`, looked up: lines without findings are then told by an index. Where `l` is no table
 * itself, a cluster asks for the organization's own placeholder (decision 067).
 */
export const ofFlagged = (value: string, organization: string) => `case when l.finding_count = 0 then 0 else (
  select ${value} from line f
  where f.organization_id = ${organization} and f.connection_id = l.connection_id and f.id = l.id) end`

/** The packed state of any line. */
export const toPackedState = (organization: string) => ofFlagged(`pack_state(${toLineState('f')})`, organization)

/** The same of `line l`. */
export const PACKED_STATE = toPackedState('l.organization_id')

/**
 * What was charged too much or too little on a line (`l`). The total is proved with the tax as
 * stated, so the two differences add up.
 */
export const LINE_DIFFERENCE = 'l.difference + l.tax_difference'

/** The columns of a `LineRow`, from `line l`. */
export const LINE_ROW_COLUMNS = toSelectList('l', STORED_LINE_FIELDS, 'row')

/** The additional columns of a line's panel, from `line l` and its `connection c`. */
export const LINE_DETAIL_COLUMNS = `${toSelectList('l', STORED_LINE_FIELDS, 'detail')}, ${ACCOUNT_NAME} as "connectionName"`

/**
 * SQL for each value of a `LineExportRow`, from `line l`, its `connection c`, and where it stands
 * (`line_review v`) by which `decision d`, if somebody decided it.
 */
export const LINE_FILE_VALUES: Record<keyof LineExportRow, string> = {
  ...toFileValues('l', STORED_LINE_FIELDS),
  connectionName: ACCOUNT_NAME,
  // most lines fail in nothing: the cheaper question first
  unexplainedDifference: `case when l.finding_count > 0 and ${toLineState('l')} = 'unexplained' then ${LINE_DIFFERENCE} else 0 end`,
  isGone: '(l.missing_since is not null)::text',
  review: `coalesce(v.state, 'open')`,
  reviewReason: 'coalesce(d.reason_words, d.reason_code)',
  reviewBy: 'd.actor_name',
  reviewAt: `to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
}

/**
 * A line as exported: everything stored of it except the raw record, each value as text. Null means
 * unknown. People and labels are joined by `; `, codes by spaces.
 */
export type LineExportRow = FileRowOf<typeof STORED_LINE_FIELDS> & {
  connectionName: string | null
  /** The whole of its difference, or zero unless it is unexplained (decision 041). */
  unexplainedDifference: DecimalText
  isGone: 'true' | 'false'
  /** Where it stands; and the decision that it stands by, or fell from: why, whose, when. */
  review: ReviewChoice
  reviewReason: string | null
  reviewBy: string | null
  /** ISO 8601, UTC. */
  reviewAt: string | null
}
