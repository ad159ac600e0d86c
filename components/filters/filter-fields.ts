import type { FilterValues } from '#components/query/list-address.ts'
import { LISTS, type ListName, type ParametersOfLists } from '#components/query/lists.ts'
import { REVIEW_LOOKS } from '#components/review/review-looks.ts'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import type { FoundOption, FilterOptions as LedgerOptions } from '#lib/ledger/model.ts'
import type { ChosenFrom, Editor, FilterSpec, Parameters } from '#lib/ledger/query/list-query.ts'
import { toSeenWords } from '#lib/ledger/query/seen-filter.ts'
import { INVOICE_FINDING_CODES } from '#lib/reconcile/invoice-finding.ts'
import { INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { REVIEW_CHOICES } from '#lib/reconcile/review/review-state.ts'
import { INVOICE_STATES, LINE_STATES, type State } from '#lib/reconcile/verdict.ts'

/** The filters that take several values; each list has some of them. */
type ChoiceKey = keyof {
  [Key in keyof FilterValues as FilterValues[Key] extends string[] ? Key : never]: true
}

/** The filters' choices. Of the trips only the chosen ones: there are too many to list. */
export type FilterOptions = LedgerOptions & { trips: FoundOption[] }

/** One choice of a filter; '' stands for records without a value. */
export type Choice = { value: string; label: string }

/** A filter of the bar, keyed by the query's member that it sets; a span of days by its first. */
export type Field = FilterSpec & { key: keyof FilterValues; editor: Editor }
export type ChoiceField = Field & { key: ChoiceKey }

/** A list's filters in the order of its table, which is the order of the chips. */
export function listFields(list: ListName): Field[] {
  return Object.entries<Parameters[string]>(LISTS[list].query.parameters).flatMap(([key, { editor, filter }]) =>
    editor === undefined || filter === undefined ? [] : { key: key as keyof FilterValues, editor, ...filter },
  )
}

/** The filters in the menu, in its order. */
export function toMenu(fields: Field[]): Field[] {
  const offered = fields.filter(({ choices }) => choices !== 'link')
  return [...offered.filter(({ isFirst }) => isFirst), ...offered.filter(({ isFirst }) => !isFirst)]
}

export function isChoice(field: Field | null): field is ChoiceField {
  return field?.editor === 'values'
}

/** The filters whose choices are loaded with the page. */
type StoredIn<Table> = Table extends Parameters ? ChosenFrom<Table, 'stored' | 'frequent' | 'connections'> : never

type FixedIn<Table> = Table extends Parameters ? ChosenFrom<Table, 'fixed'> : never

function toStateChoices(states: readonly State[]): Choice[] {
  return states.map((value) => ({ value, label: capitalize(STATE_LOOKS[value].word) }))
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const FIXED_CHOICES: Record<FixedIn<ParametersOfLists>, Choice[]> = {
  findingCodes: [
    { value: 'total', label: 'Total differs' },
    { value: 'tax', label: 'Tax differs from its rate' },
  ],
  policies: [
    { value: 'true', label: 'Out of policy' },
    { value: 'false', label: 'In policy' },
    { value: '', label: 'Policy unknown' },
  ],
  outcomes: toStateChoices(LINE_STATES),
  reviews: REVIEW_CHOICES.map((value) => ({ value, label: capitalize(REVIEW_LOOKS[value].word) })),
  states: toStateChoices(INVOICE_STATES),
  findings: INVOICE_FINDING_CODES.map((value) => ({ value, label: INVOICE_FINDING_LABELS[value] })),
}

/** A filter's choices that are known without a search. */
export function toChoices({ key, unknown = '' }: Field, options: FilterOptions): Choice[] {
  if (key in FIXED_CHOICES) return FIXED_CHOICES[key as keyof typeof FIXED_CHOICES]
  // fails to compile when the ledger does not read the choices of some list's filter
  const stored = key === 'trips' ? [] : (options[key as StoredIn<ParametersOfLists>] ?? [])
  return stored.map(({ value, name }) => ({ value: value ?? '', label: name ?? value ?? unknown }))
}

/** From so many on, the choices that come with the page are only the most frequent. */
const MOST_WITH_PAGE = 200

/** Whether the server is asked for a filter's choices: there are too many to have them all here. */
export function isSearched({ key, choices }: Field, options: FilterOptions): boolean {
  if (choices === 'searched') return true
  return choices === 'frequent' && (options[key as StoredIn<ParametersOfLists>] ?? []).length >= MOST_WITH_PAGE
}

/** What the server found of a filter; who has typed nothing may also want the records without. */
export function toFoundChoices({ unknown = '' }: Field, found: readonly FoundOption[], text: string): Choice[] {
  const choices = found.map(({ value, name }) => ({ value, label: name ?? value }))
  return text.trim() === '' ? [{ value: '', label: unknown }, ...choices] : choices
}

/** The label of a filter's value, also when it is no longer among the choices. */
export function toValueLabel(field: ChoiceField, value: string, options: FilterOptions): string {
  const known =
    field.key === 'trips'
      ? options.trips.find((trip) => trip.value === value)?.name
      : toChoices(field, options).find((choice) => choice.value === value)?.label
  if (field.key === 'seen' || field.key === 'fell') return toSeenWords(value)
  return known ?? (value === '' ? (field.unknown ?? '') : value)
}
