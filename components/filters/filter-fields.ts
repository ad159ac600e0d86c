import { VERDICT_LABELS } from '#components/coverage/verdict-words.ts'
import type { FilterValues } from '#components/query/list-address.ts'
import { LISTS, type ListName, type ParametersOfLists } from '#components/query/lists.ts'
import type { FilterOptions as LedgerOptions, TripOption } from '#lib/ledger/model.ts'
import { VERDICTS } from '#lib/ledger/query/invoice-query.ts'
import type { ChosenFrom, Editor, FilterSpec, Parameters } from '#lib/ledger/query/list-query.ts'

/** The filters that take any number of values; each list has some of them. */
type ChoiceKey = keyof {
  [Key in keyof FilterValues as FilterValues[Key] extends string[] ? Key : never]: true
}

/**
 * What the filters can be set to; of the trips, only those that are set: they are too many to list.
 */
export type FilterOptions = LedgerOptions & { trips: TripOption[] }

/** One value that a filter can take; '' stands for what the platform does not say. */
export type Choice = { value: string; label: string }

/** A filter of the bar, by the query's member that it sets; a span of days by the first. */
export type Field = FilterSpec & { key: keyof FilterValues; editor: Editor }
export type ChoiceField = Field & { key: ChoiceKey }

/** The filters of a list, in the order of its table and of the chips. */
export function listFields(list: ListName): Field[] {
  return Object.entries<Parameters[string]>(LISTS[list].query.parameters).flatMap(([key, { editor, filter }]) =>
    editor === undefined || filter === undefined ? [] : { key: key as keyof FilterValues, editor, ...filter },
  )
}

/** The filters that the menu offers, in its order. */
export function toMenu(fields: Field[]): Field[] {
  const offered = fields.filter(({ choices }) => choices !== 'link')
  return [...offered.filter(({ isFirst }) => isFirst), ...offered.filter(({ isFirst }) => !isFirst)]
}

/** Whether the filter takes any number of values. */
export function isChoice(field: Field | null): field is ChoiceField {
  return field?.editor === 'values'
}

/** The filters whose choices are read with the page. */
type StoredIn<Table> = Table extends Parameters ? ChosenFrom<Table, 'stored' | 'frequent' | 'connections'> : never

type FixedIn<Table> = Table extends Parameters ? ChosenFrom<Table, 'fixed'> : never

const FIXED_CHOICES: Record<FixedIn<ParametersOfLists>, Choice[]> = {
  findingCodes: [
    { value: 'total', label: 'Total does not add up' },
    { value: 'tax', label: 'Tax is not its rate' },
  ],
  verdicts: VERDICTS.map((value) => ({ value, label: VERDICT_LABELS[value] })),
}

/** What a filter can be set to. Trips are too many to list: they are searched for. */
export function toChoices({ key, unknown = '' }: Field, options: FilterOptions): Choice[] {
  if (key in FIXED_CHOICES) return FIXED_CHOICES[key as keyof typeof FIXED_CHOICES]
  // does not compile while the ledger does not read the choices of some list's filter
  const stored = key === 'trips' ? [] : (options[key as StoredIn<ParametersOfLists>] ?? [])
  return stored.map(({ value, name }) => ({ value: value ?? '', label: name ?? value ?? unknown }))
}

/** The words for one value of a filter, also when it is not among the choices (any more). */
export function toValueLabel(field: ChoiceField, value: string, options: FilterOptions): string {
  const known =
    field.key === 'trips'
      ? options.trips.find((trip) => trip.tripId === value)?.tripName
      : toChoices(field, options).find((choice) => choice.value === value)?.label
  return known ?? (value === '' ? (field.unknown ?? '') : value)
}
