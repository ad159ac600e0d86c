/** What the columns of the lines list read beside what every row has. */
import { toPayloadWords } from '#lib/reconcile/payload/payload-words.ts'
import type { LineColumnName } from '../query/line-columns.ts'
import { DAYS_SINCE_DECIDED, LAST_LETTER } from './letter-fields.ts'
import { ACCOUNT_NAME_OF_LINE, LINE_ROW_COLUMNS, STORED_LINE_FIELDS } from './line-fields.ts'
import { toNamedList } from './record-columns.ts'

type LineField = keyof typeof STORED_LINE_FIELDS

/** Those that read a stored field; the own columns of the list need none. */
const FIELD_OF_COLUMN = {
  travelers: 'travelerNames',
  booker: 'bookerName',
  vendor_code: 'vendorCode',
  start_date: 'startDate',
  end_date: 'endDate',
  labels: 'labels',
  custom_fields: 'customFields',
  country: 'country',
  out_of_policy: 'outOfPolicy',
  include_breakfast: 'includeBreakfast',
  credit_card: 'creditCardLast4',
  expected_total_amount: 'expectedTotal',
  expected_tax_amount: 'expectedTax',
  tax_regime: 'taxRegime',
  tax_percentage: 'taxPercentage',
  tax_amount: 'taxAmount',
  unit_price: 'unitPrice',
  non_taxable_unit_price: 'nonTaxableUnitPrice',
  due_date: 'dueDate',
  profile_id: 'profileId',
} as const satisfies Partial<Record<LineColumnName, LineField>>

/**
 * The columns of a `LineRow` in a list with these columns, from `line l`: what a column shows is
 * read only where it is asked for.
 */
export function toLineRowColumns(columns: readonly { name: LineColumnName }[]): string {
  const names = columns.map(({ name }) => name)
  const fields = names.flatMap((name) => (hasField(name) ? [FIELD_OF_COLUMN[name]] : []))
  const read = [LINE_ROW_COLUMNS]
  if (fields.length > 0) read.push(toNamedList('l', STORED_LINE_FIELDS, fields))
  if (names.some(isOfPayload)) read.push(`${RAW_OF_LINE} as "rawText"`)
  if (names.includes('connection_name')) read.push(`${ACCOUNT_NAME_OF_LINE} as "connectionName"`)
  if (names.includes('first_seen')) read.push(FIRST_SEEN)
  if (names.includes('review')) read.push(REVIEW_MARK)
  if (names.some((name) => name === 'disputed' || name === 'letter')) read.push(DISPUTE_MARK)
  return read.join(', ')
}

const OF_PAYLOAD: readonly LineColumnName[] = ['place', 'approvers']

function isOfPayload(name: LineColumnName): boolean {
  return OF_PAYLOAD.includes(name)
}

const FIRST_SEEN = `to_char(l.first_seen_at at time zone 'UTC', 'YYYY-MM-DD') as "firstSeenOn"`

/** Where the line stands, looked up by key for the lines of a page. */
const REVIEW_MARK = `(
  select json_build_object('state', v.state, 'previous', v.previous_state, 'cause', v.cause, 'decision', v.decision::text,
    'name', d.actor_name)
  from line_review v join decision d on d.organization_id = v.organization_id and d.number = v.decision
  where v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id) as review`

/** Of a line that is disputed, or was until it changed. */
const DISPUTE_MARK = `(
  select json_build_object('daysWaiting', ${DAYS_SINCE_DECIDED}, 'letter', ${LAST_LETTER})
  from line_review v join decision d on d.organization_id = v.organization_id and d.number = v.decision
  where v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id
    and 'disputed' in (v.state, v.previous_state)) as dispute`

/** The record as the platform sent it, looked up by key for the lines of a page. */
const RAW_OF_LINE = `(select p.raw::text from line_payload p
  where p.organization_id = l.organization_id and p.connection_id = l.connection_id and p.line_id = l.id)`

/** Rows as they were read, with the words of their records in place of these. */
export function withPayloadWords<Row extends { rawText?: string | null }>(rows: Row[]): Row[] {
  return rows.map((row) => {
    if (row.rawText === undefined) return row
    const { rawText, ...others } = row
    return { ...others, ...toPayloadWords(rawText ?? '') } as unknown as Row
  })
}

function hasField(name: LineColumnName): name is keyof typeof FIELD_OF_COLUMN {
  return Object.hasOwn(FIELD_OF_COLUMN, name)
}
