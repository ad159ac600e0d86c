import { VERDICTS } from '../../lib/ledger/invoice-query.ts'
import type { FilterOptions as LedgerOptions, TripOption } from '../../lib/ledger/model.ts'
import { VERDICT_LABELS } from '../coverage/verdict-words.ts'
import type { ChoiceKey, ListQuery } from '../query/list-address.ts'

/** What the filters can be set to; of the trips, only those that are set: they are too many to list. */
export type FilterOptions = LedgerOptions & { trips: TripOption[] }

/** One value that a filter can take; '' stands for what the platform does not say. */
export type Choice = { value: string; label: string }

export type FieldKey = ChoiceKey | 'dates' | 'findings'

export type Field = { key: FieldKey; label: string; unknownLabel: string }

const FIELDS: Record<FieldKey, Omit<Field, 'key'>> = {
  connections: { label: 'Connection', unknownLabel: 'No connection' },
  dates: { label: 'Date', unknownLabel: '' },
  findings: { label: 'Findings only', unknownLabel: '' },
  currencies: { label: 'Currency', unknownLabel: '' },
  verticals: { label: 'Vertical', unknownLabel: 'Unknown vertical' },
  costCenters: { label: 'Cost center', unknownLabel: 'No cost center' },
  trips: { label: 'Trip', unknownLabel: 'No trip' },
  services: { label: 'Service', unknownLabel: 'Unknown service' },
  statuses: { label: 'Status', unknownLabel: 'Unknown status' },
  modes: { label: 'Mode', unknownLabel: 'Unknown mode' },
  profiles: { label: 'Profile', unknownLabel: 'No profile' },
  invoices: { label: 'Invoice', unknownLabel: '' },
  findingCodes: { label: 'Finding', unknownLabel: '' },
  verdicts: { label: 'Completeness', unknownLabel: '' },
}

const LINE_FIELDS: FieldKey[] = [
  'findings',
  'findingCodes',
  'dates',
  'connections',
  'currencies',
  'verticals',
  'costCenters',
  'trips',
  'services',
  'statuses',
  'modes',
  'profiles',
]

const FIELDS_OF: Record<ListQuery['list'], FieldKey[]> = {
  lines: LINE_FIELDS,
  groups: LINE_FIELDS,
  invoices: ['findings', 'verdicts', 'dates', 'connections', 'currencies', 'statuses', 'modes', 'profiles'],
}

export function toField(key: FieldKey): Field {
  return { key, ...FIELDS[key] }
}

/** The filters that a list offers, in the order of the menu. */
export function listFields(list: ListQuery['list']): Field[] {
  return FIELDS_OF[list].map(toField)
}

/** The filters that hold values, in the order of the chips. An invoice can be filtered for by a link only. */
export const CHOICE_FIELDS: (Field & { key: ChoiceKey })[] = (
  [
    'connections',
    'profiles',
    'currencies',
    'verticals',
    'services',
    'costCenters',
    'trips',
    'statuses',
    'modes',
    'invoices',
    'findingCodes',
    'verdicts',
  ] as const
).map((key) => ({ ...FIELDS[key], key }))

const FINDING_CHOICES: Choice[] = [
  { value: 'total', label: 'Total does not add up' },
  { value: 'tax', label: 'Tax is not its rate' },
]

/** What a filter can be set to. Trips are too many to list: they are searched for. */
export function toChoices(key: FieldKey, options: FilterOptions): Choice[] {
  const named = (list: { id: string; name: string | null }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name ?? id }))
  const plain = (list: (string | null)[]) =>
    list.map((value) => ({ value: value ?? '', label: value ?? FIELDS[key].unknownLabel }))
  switch (key) {
    case 'connections':
      return named(options.connections)
    case 'profiles':
      return named(options.profiles)
    case 'currencies':
      return plain(options.currencies)
    case 'verticals':
      return plain(options.verticals)
    case 'services':
      return plain(options.services)
    case 'statuses':
      return plain(options.statuses)
    case 'modes':
      return plain(options.modes)
    case 'verdicts':
      return VERDICTS.map((value) => ({ value, label: VERDICT_LABELS[value] }))
    case 'costCenters':
      return plain(options.costCenters)
    case 'findingCodes':
      return FINDING_CHOICES
    default:
      return []
  }
}

/** The words for one value of a filter, also when it is not among the choices (any more). */
export function toValueLabel(key: ChoiceKey, value: string, options: FilterOptions): string {
  const known =
    key === 'trips'
      ? options.trips.find((trip) => trip.tripId === value)?.tripName
      : toChoices(key, options).find((choice) => choice.value === value)?.label
  return known ?? (value === '' ? FIELDS[key].unknownLabel : value)
}
