import { type ListQuery, readFilters } from '#components/query/list-address.ts'
import { LISTS } from '#components/query/lists.ts'
import type { Parameters } from '#lib/ledger/query/list-query.ts'
import { type FilterOptions, isChoice, listFields, toChoices, toValueLabel } from './filter-fields.ts'
import { describeDays } from './filter-scope.ts'
import { markLookAlikes } from './look-alike-marks.ts'

/** A filter by its key in the query, with its name in the menu. */
export type FieldName = { key: string; label: string }

/** A filter that is set, as the bar shows it: what it says is worked out with the query. */
export type Chip = {
  label: string
  /** Its values in brief and in full; null for a filter that is only on or off. */
  value: string | null
  valueText: string
  /** What opens to change it; null for one that is only on or off. */
  field: FieldName | null
  /** The parameters of the address that say it. */
  names: string[]
}

/** The filters that are set: in the address, and as chips. */
export type Filtered = { search: string; chips: Chip[] }

/** The filters that a query sets, in the bar's order. */
export function listChips(target: ListQuery, options: FilterOptions): Chip[] {
  const filters = readFilters(target)
  const parameters: Parameters = LISTS[target.list].query.parameters
  const namesOf = (...keys: (keyof typeof filters)[]) => {
    const pairs = keys.flatMap((key) => parameters[key]?.write(filters[key] as never) ?? [])
    return [...new Set(pairs.map(([name]) => name))]
  }
  const fields = listFields(target.list)
  const days = describeDays(filters.from ?? null, filters.to ?? null)
  const dateField = fields.find(({ editor }) => editor === 'days')
  const ofDays: Chip[] =
    days === null || dateField === undefined
      ? []
      : [
          {
            label: target.list === 'invoices' || filters.dateField === 'issued' ? 'Issued' : 'Expense date',
            value: days,
            valueText: days,
            field: { key: dateField.key, label: dateField.label },
            // whole periods stand in the address by their name
            names: [...namesOf('from', 'to'), 'period', 'date'],
          },
        ]
  const ofValues = fields.filter(isChoice).flatMap((field): Chip[] => {
    const { key, label } = field
    const chosen = (filters[key] ?? []).map((value) => ({ value, label: toValueLabel(field, value, options) }))
    const marks = markLookAlikes([...chosen, ...toChoices(field, options)])
    const labels = chosen.map((choice) => [choice.label, marks.get(choice)].filter(Boolean).join(', '))
    if (labels.length === 0) return []
    const valueText = labels.join(', ')
    const value = labels.length > 2 ? `${labels[0]} +${labels.length - 1}` : valueText
    return [{ label, value, valueText, field: { key, label }, names: namesOf(key) }]
  })
  const ofSwitches = fields
    .filter(({ editor, key }) => editor === 'switch' && filters[key] === true)
    .map(({ key, label }): Chip => ({ label, value: null, valueText: '', field: null, names: namesOf(key) }))
  return [...ofDays, ...ofValues, ...ofSwitches]
}
