/** The lines list's query: the address is the state, and only this table knows its parameters. */
import type { OrganizationId } from '#lib/ids.ts'
import type { LINE_FIELDS } from '#lib/reconcile/records.ts'
import { REVIEW_CHOICES } from '#lib/reconcile/review/review-state.ts'
import { LINE_STATES } from '#lib/reconcile/verdict.ts'
import { columnsOf, DENSITY } from './column-parameters.ts'
import { LINE_COLUMN_NAMES } from './line-columns.ts'
import {
  BESIDE,
  currenciesOf,
  dayOf,
  defineQuery,
  type FilterTable,
  firstDayOf,
  hasFilters,
  oneOf,
  PAGE,
  PAGE_SIZE,
  type QueryOf,
  someOf,
  sortOf,
  switchOf,
  textOf,
  valuesOf,
} from './list-query.ts'
import type { Sort } from './search-params.ts'
import { VIEW } from './view-parameter.ts'

export { toSearchParams } from './search-params.ts'

export const LINE_SORT_KEYS = [
  'expense_date',
  'issuing_date',
  'description',
  'trip',
  'vertical',
  'cost_center',
  'quantity',
  'total_amount',
  'difference',
  'invoice',
  'status',
] as const

export type LineSortKey = (typeof LINE_SORT_KEYS)[number]

/** The filters of the lines, the groups and their files, in the order of the menu and the chips. */
export const LINE_FILTERS = {
  connections: valuesOf('connection', {
    of: 'connectionId',
    label: 'Connection',
    unknown: 'No connection',
    choices: 'connections',
  }),
  currencies: currenciesOf('currency', { of: 'currency', label: 'Currency' }),
  verticals: valuesOf('vertical', { of: 'relatedVertical', label: 'Vertical', unknown: 'Unknown vertical' }),
  costCenters: valuesOf('cost_center', {
    of: 'costCenter',
    label: 'Cost center',
    unknown: 'No cost center',
    choices: 'frequent',
  }),
  trips: valuesOf('trip', { of: 'tripId', label: 'Trip', unknown: 'No trip', choices: 'searched' }),
  vendors: valuesOf('vendor', { of: 'vendorName', label: 'Vendor', unknown: 'No vendor', choices: 'searched' }),
  /** A line matches that is of any of them. */
  travelers: valuesOf('traveler', { label: 'Traveler', unknown: 'No traveler', choices: 'searched' }),
  bookers: valuesOf('booker', { of: 'bookerName', label: 'Booker', unknown: 'No booker', choices: 'link' }),
  services: valuesOf('service', { of: 'service', label: 'Service', unknown: 'Unknown service' }),
  statuses: valuesOf('status', { of: 'invoiceStatus', label: 'Status', unknown: 'Unknown status' }),
  modes: valuesOf('mode', { of: 'invoiceMode', label: 'Mode', unknown: 'Unknown mode' }),
  profiles: valuesOf('profile', { of: 'profileId', nameOf: 'profileName', label: 'Profile', unknown: 'No profile' }),
  /** A line matches that has any of them. */
  labels: valuesOf('label', { label: 'Label', unknown: 'No label', choices: 'link' }),
  countries: valuesOf('country', { of: 'country', label: 'Country', unknown: 'No country', choices: 'link' }),
  customFields: valuesOf('custom_field', { label: 'Custom field', unknown: 'No custom field', choices: 'link' }),
  policies: valuesOf('out_of_policy', {
    of: 'outOfPolicy',
    label: 'Policy',
    unknown: 'Policy unknown',
    choices: 'fixed',
  }),
  taxRegimes: valuesOf('tax_regime', {
    of: 'taxRegime',
    label: 'Tax regime',
    unknown: 'No tax regime',
    choices: 'link',
  }),
  /** Compared as figures: `19` is `19.00`. */
  taxRates: valuesOf('tax_percentage', { of: 'taxPercentage', label: 'Tax rate', choices: 'link' }),
  invoices: valuesOf('invoice', { of: 'invoiceSerialNumber', label: 'Invoice', choices: 'link' }),
  findingsOnly: switchOf('findings', { label: 'Findings only', isFirst: true }),
  /** Kinds of finding; a line matches with any of them. */
  findingCodes: valuesOf('finding', { label: 'Finding', unknown: 'No finding', choices: 'fixed', isFirst: true }),
  /** Its state, of a line with findings. */
  outcomes: someOf('outcome', LINE_STATES, { label: 'Reason', choices: 'fixed', isFirst: true }),
  /** Where a line stands in the review; `open`: with findings that nobody has decided. */
  reviews: someOf('review', REVIEW_CHOICES, { label: 'Review', choices: 'fixed', isFirst: true }),
  /** Numbers of decisions: lines that stand by one of them. */
  decisions: valuesOf('decision', { label: 'Decision', choices: 'link' }),
  /** Ids of people: lines that one of them has, or whose comments name them unread. */
  concerned: valuesOf('concerns', { label: 'Person', choices: 'link' }),
  /** Lines that the platform no longer has, in place of those that it has. */
  goneOnly: switchOf('gone', { label: 'Removed by the platform' }),
  /** Single lines, `<connection id>~<line id>` each: a selection. */
  picked: valuesOf('only', { label: 'Selected lines', choices: 'link' }),
  /** `since 2026-11-14` or `before 2026-11-14`: when a line first came here; see `toSeenFilter`. */
  seen: valuesOf('seen', { label: 'First seen', choices: 'link' }),
  /** As `seen`: when the decision about a line fell that has changed since. */
  fell: valuesOf('fell', { label: 'Decision fell', choices: 'link' }),
  /** Days are inclusive; `from` after `to` finds nothing. */
  from: firstDayOf('from', { label: 'Date', isFirst: true }),
  to: dayOf('to'),
  /** Which day the two refer to. */
  dateField: oneOf('date', ['expense', 'issued']),
  /** `2026-07` or `before 2026-07`: whole months of expense, whichever days the others are of. */
  months: valuesOf('month', { label: 'Month of expense', choices: 'link' }),
  /** As `months`, of issue. */
  issueMonths: valuesOf('month_issued', {
    label: 'Month of issue',
    unknown: 'No day of issue',
    choices: 'link',
  }),
  /** Words in any order; see `parseSearch` for what each can mean. */
  text: textOf('q'),
} satisfies FilterTable<keyof typeof LINE_FIELDS | 'connectionId'>

/** Filters of names, which may be written in several ways that look alike. */
export const FOLDED_FILTERS = ['costCenters', 'vendors', 'bookers', 'travelers', 'labels'] as const

/** What no address says, but the organization: whether names that look alike count as one. */
export type Folding = { foldsNames?: boolean }

export type LineFilters = QueryOf<typeof LINE_FILTERS> & Folding

/** An organization, and how it reads names. */
export type NamesReader = Required<Folding> & { organizationId: OrganizationId }

/** A query as the organization of a session reads it. */
export function readAs<Query extends object>({ foldsNames }: Required<Folding>, query: Query): Query & Folding {
  return { ...query, foldsNames }
}

export const DEFAULT_LINE_SORT: Sort<LineSortKey> = { key: 'expense_date', descending: true }

export const LINE_QUERY = defineQuery({
  ...LINE_FILTERS,
  sort: sortOf(LINE_SORT_KEYS, DEFAULT_LINE_SORT),
  columns: columnsOf(LINE_COLUMN_NAMES),
  density: DENSITY,
  page: PAGE,
  beside: BESIDE,
  pageSize: PAGE_SIZE,
  view: VIEW,
})

export type LineQuery = QueryOf<typeof LINE_QUERY.parameters> & Folding

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_LINE_QUERY, parse: parseLineQuery, write: writeLineQuery } = LINE_QUERY

/** Whether any filter is set: an empty list because of a filter is not an empty ledger. */
export function hasLineFilters(filters: LineFilters): boolean {
  return hasFilters(LINE_FILTERS, filters)
}
