import { isUuid, type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { REVIEW_CHOICES, type ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { STORED_LINE_FIELDS, toLineState } from '../fields/line-fields.ts'
import { DEFAULT_LINE_QUERY, LINE_FILTERS, type LineFilters } from '../query/line-query.ts'
import { parseSeenFilter } from '../query/seen-filter.ts'
import { joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'
import { createFilterConditions } from './filter-conditions.ts'
import { type FoundInvoices, toFoundCondition } from './found-invoices.ts'
import { type LineSource, toLines } from './line-source.ts'
import type { SplitSpan } from './split-span.ts'
import { toTextCondition } from './text-conditions.ts'

const toFilterConditions = createFilterConditions({
  alias: 'l',
  fields: STORED_LINE_FIELDS,
  filters: LINE_FILTERS,
  others: {
    findingsOnly: ({ findingsOnly }) => (findingsOnly ? 'l.finding_count > 0' : null),
    findingCodes: ({ findingCodes }, parameters) =>
      findingCodes.length === 0
        ? null
        : findingCodes.includes('')
          ? toListCondition('l.finding_codes', findingCodes, parameters)
          : `(l.finding_count > 0 and l.finding_codes && ${parameters.add(findingCodes)}::text[])`,
    // the source says whether lines count that are gone
    goneOnly: () => null,
    outcomes: ({ outcomes }, parameters) => toOutcomeCondition(outcomes, parameters),
    // looks reviews up, each by its organization, which only who asks for lines names
    reviews: () => null,
    decisions: ({ decisions }, parameters) => toDecisionCondition(decisions, parameters),
    concerned: ({ concerned }, parameters) => toConcernedCondition(concerned, parameters),
    travelers: ({ travelers }, parameters) => toListCondition('l.traveler_names', travelers, parameters),
    labels: ({ labels }, parameters) => toListCondition('l.labels', labels, parameters),
    customFields: ({ customFields }, parameters) =>
      toListCondition("coalesce(l.custom_fields, '{}')", customFields, parameters),
    picked: ({ picked }, parameters) => toPickedCondition(picked, parameters),
    seen: ({ seen }, parameters) => toMomentCondition('l.first_seen_at', seen, parameters),
    fell: ({ fell }, parameters) => toFellCondition(fell, parameters),
    months: ({ months }, parameters) => toMonthCondition('l.expense_date', months, parameters),
    issueMonths: ({ issueMonths }, parameters) => toMonthCondition('l.issuing_date', issueMonths, parameters),
    from: (filters, parameters) =>
      filters.from === null ? null : `${toDateColumn(filters)} >= ${parameters.add(filters.from)}::date`,
    to: (filters, parameters) =>
      filters.to === null ? null : `${toDateColumn(filters)} <= ${parameters.add(filters.to)}::date`,
    // says which day the two above compare with
    dateField: () => null,
    text: ({ text }, parameters) => toTextCondition(text, parameters),
  },
})

/**
 * The one where-clause of lines, or of the roll-up that stands for them (`l`). The list, its
 * totals, the groups, the counts and the files share it, so they can never disagree. Every value is
 * a parameter.
 * @param found where all lines of the text are (`findInvoicesOfText`): only these are then read
 */
export function toLineConditions(
  organizationId: OrganizationId,
  filters: LineFilters,
  parameters: SqlParameters,
  source: LineSource = toLines(filters),
  found: FoundInvoices | null = null,
): string {
  const { span } = source
  const isOfLines = source === toLines({ goneOnly: false })
  return joinConditions([
    `l.organization_id = ${parameters.add(organizationId)}::uuid`,
    source.condition,
    span === null ? null : toSpanCondition(span, parameters),
    ...toFilterConditions(span === null ? filters : { ...filters, from: null, to: null }, parameters),
    toReviewCondition(organizationId, filters, parameters),
    isOfLines ? toInvoiceCondition(organizationId, filters, parameters) : null,
    toFoundCondition(found, parameters),
  ])
}

/**
 * Days of issue once more, as a condition on the invoices: it takes no line away, and lets the
 * database find the few invoices first and read only their lines.
 */
function toInvoiceCondition(
  organizationId: OrganizationId,
  { currencies, modes, statuses, profiles, from, to, dateField, issueMonths }: LineFilters,
  parameters: SqlParameters,
): string | null {
  const days = dateField === 'issued' ? { from, to, dateField } : {}
  if (issueMonths.length === 0 && !days.from && !days.to) return null
  const repeated = { ...DEFAULT_LINE_QUERY, currencies, modes, statuses, profiles, issueMonths, ...days }
  const found = joinConditions([
    `l.organization_id = ${parameters.add(organizationId)}::uuid`,
    ...toFilterConditions(repeated, parameters),
  ])
  return `(l.connection_id, l.invoice_serial_number) in (
    select l.connection_id, l.invoice_serial_number from invoice_rollup l where ${found})`
}

/** Each part of the rows has its own days. */
function toSpanCondition({ whole, ends }: SplitSpan, parameters: SqlParameters): string {
  const parts = [...ends, whole].map(({ from, to }, part) =>
    joinConditions([
      `l.part = ${part}`,
      from === null ? null : `l.expense_date >= ${parameters.add(from)}::date`,
      to === null ? null : `l.expense_date <= ${parameters.add(to)}::date`,
    ]),
  )
  return `(${parts.join(' or ')})`
}

function toDateColumn({ dateField }: LineFilters): string {
  return dateField === 'issued' ? 'l.issuing_date' : 'l.expense_date'
}

function toOutcomeCondition(outcomes: LineFilters['outcomes'], parameters: SqlParameters): string | null {
  if (outcomes.length === 0) return null
  return `(l.finding_count > 0 and ${toLineState('l')} = any(${parameters.add(outcomes)}::text[]))`
}

/** Whether these filters leave lines with findings alone, so that no other is looked at. */
export function areFlagged({ findingsOnly, outcomes, reviews }: LineFilters): boolean {
  return findingsOnly || outcomes.length > 0 || (reviews.length > 0 && reviews.every((state) => state === 'open'))
}

/** Open is a line with findings that has no review: what ties out needs nobody's decision. */
function toReviewCondition(
  organizationId: OrganizationId,
  { reviews }: LineFilters,
  parameters: SqlParameters,
): string | null {
  if (reviews.length === 0) return null
  const isOneOf = (states: readonly ReviewChoice[]) => `exists (select from line_review v
    where v.organization_id = ${parameters.add(organizationId)}::uuid and v.connection_id = l.connection_id and v.line_id = l.id
      and v.state = any(${parameters.add(states)}::text[]))`
  const decided = reviews.filter((state) => state !== 'open')
  if (!reviews.includes('open')) return isOneOf(decided)
  const others = REVIEW_CHOICES.filter((state) => !reviews.includes(state))
  const isAsked = decided.length === 0 ? 'l.finding_count > 0' : `(l.finding_count > 0 or ${isOneOf(decided)})`
  return others.length === 0 ? isAsked : `(${isAsked} and not ${isOneOf(others)})`
}

/** A text that is no number finds nothing, rather than everything. */
function toDecisionCondition(decisions: readonly string[], parameters: SqlParameters): string | null {
  if (decisions.length === 0) return null
  const numbers = parameters.add(decisions.filter((text) => /^[1-9]\d{0,14}$/.test(text)))
  return `(l.organization_id, l.connection_id, l.id) in (
    select v.organization_id, v.connection_id, v.line_id from line_review v where v.decision = any(${numbers}::bigint[]))`
}

/** Who has a line is told by its thread (lib/talk). A text that is no id finds nothing. */
function toConcernedCondition(people: readonly string[], parameters: SqlParameters): string | null {
  if (people.length === 0) return null
  const ids = `any(${parameters.add(people.filter(isUuid))}::uuid[])`
  const named = `select m.organization_id, m.thread_id from mention n
    join message m on m.organization_id = n.organization_id and m.id = n.message_id
    where n.person_id = ${ids} and n.read_at is null`
  return `(l.organization_id, l.connection_id, l.id) in (
    select t.organization_id, t.connection_id, t.key from thread t where t.kind = 'line' and (t.organization_id, t.id) in (
      select a.organization_id, a.thread_id from assignment a where a.person_id = ${ids} and a.ended_at is null union all ${named}))`
}

/** A list has any of the values; an empty text stands for a list that says nothing. */
function toListCondition(column: string, values: readonly string[], parameters: SqlParameters): string | null {
  if (values.length === 0) return null
  const ofThem = `${column} && ${parameters.add(values.filter((value) => value !== ''))}::text[]`
  return values.includes('') ? `(${ofThem} or ${column} <@ '{""}')` : ofThem
}

function toPickedCondition(picked: LineFilters['picked'], parameters: SqlParameters): string | null {
  return picked.length === 0 ? null : `(l.connection_id, l.id) in (${toNamedLines(picked, parameters)})`
}

/**
 * SQL that selects the keys of single lines, `<connection id>~<line id>` each. A text that names no
 * line finds nothing, rather than everything.
 */
export function toNamedLines(texts: readonly string[], parameters: SqlParameters): string {
  const keys = texts.map((text) => [parseConnectionId(text.slice(0, Math.max(0, text.indexOf('~')))), text] as const)
  const found = keys.filter(([connectionId]) => connectionId !== null)
  const connectionIds = parameters.add(found.map(([connectionId]) => connectionId))
  const ids = parameters.add(found.map(([, text]) => text.slice(text.indexOf('~') + 1)))
  return `select * from unnest(${connectionIds}::uuid[], ${ids}::text[])`
}

/** A text that names no moment finds nothing, rather than everything. */
function toMomentCondition(column: string, asked: readonly string[], parameters: SqlParameters): string | null {
  if (asked.length === 0) return null
  const sides = asked.map(parseSeenFilter).map((each) => {
    if (each === null) return 'false'
    return `${column} ${each.side === 'since' ? '>=' : '<'} ${parameters.add(each.from)}::timestamptz`
  })
  return `(${sides.join(' and ')})`
}

/** Lines whose decision fell then and that nobody has decided since. */
function toFellCondition(fell: LineFilters['fell'], parameters: SqlParameters): string | null {
  const then = toMomentCondition('v.suspended_at', fell, parameters)
  if (then === null) return null
  return `(l.organization_id, l.connection_id, l.id) in (
    select v.organization_id, v.connection_id, v.line_id from line_review v where v.state = 'suspended' and ${then})`
}

/** A text that names no month finds nothing, rather than everything; an empty one, no day. */
function toMonthCondition(column: string, months: readonly string[], parameters: SqlParameters): string | null {
  if (months.length === 0) return null
  const found = months.map((text) => {
    if (text === '') return `${column} is null`
    const [, before, month] = /^(before )?(\d{4}-\d{2})$/.exec(text) ?? []
    const first = parseDay(`${month}-01`)
    if (first === null) return 'false'
    const day = `${parameters.add(first)}::date`
    return before === undefined
      ? `(${column} >= ${day} and ${column} < (${day} + interval '1 month')::date)`
      : `${column} < ${day}`
  })
  return `(${found.join(' or ')})`
}
