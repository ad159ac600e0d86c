import { PACKED_STATE, STATE_OF_FLAGGED, STORED_LINE_FIELDS, toPackedState } from '../fields/line-fields.ts'
import { LINE_FILTERS, type LineFilters } from '../query/line-query.ts'
import type { ComparedIn, FilterTable } from '../query/list-query.ts'
import type { OwnPlaceholder } from '../sql/sql-parameters.ts'
import { isWholeMonths, type SplitSpan, splitSpan } from './split-span.ts'

/** Columns of `line` that a question can name; roll-ups have some of them, under the same names. */
export type LineColumn = (typeof STORED_LINE_FIELDS)[keyof typeof STORED_LINE_FIELDS]['column']

/** What a question tells lines apart by: a column, or the month of the day of issue. */
export type ToldColumn = LineColumn | 'issuing_month'

/**
 * Where a question about many lines is answered: the lines, or sums of them. Rows of either come as
 * `l`, so conditions and keys read the same.
 */
export type LineSource = {
  name: string
  /** Whether its rows are sums of lines. */
  isRollup: boolean
  from: string
  /** Narrows the rows to those that count. */
  condition: string
  /** How many lines a group of rows stands for. */
  lineCount: string
  /**
   * How many of them are in which state, packed; see `unpack_states` in roll-ups.sql.
   */
  toLineStates: (own: OwnPlaceholder) => string
  /** A trip's dated label in a group of rows; see `toTripLabel`. */
  datedLabel: string
  /** Ends a GROUP BY: leaves out groups of rows that stand for no line. */
  having: string
  /** Set if the rows are sums of days and their ends: then `part` of a row says which of them. */
  span: SplitSpan | null
}

/** `issuedIn`: what its `issuing_date` tells apart; a month's is its first day. */
type Rollup = LineSource & { columns: readonly LineColumn[]; issuedIn: 'days' | 'months' }

/** Most lines tie out, and so do most cells: to skip their zeros is quicker than to add them. */
function toStates(state: string): string {
  return `coalesce(sum(${state}) filter (where l.finding_count <> 0), 0)`
}

/** The lines themselves answer every question. */
export const LINES: LineSource = {
  name: 'lines',
  isRollup: false,
  from: 'line l',
  // what the platform no longer has stays stored and shows under Changes
  condition: 'l.missing_since is null',
  lineCount: 'count(*)',
  toLineStates: (own) => toStates(toPackedState(own())),
  datedLabel: `max(l.expense_date::text || ' ' || l.trip_name)`,
  having: '',
  span: null,
}

/** What the platform removed. It counts in no total, so no roll-up has it. */
const GONE_LINES: LineSource = { ...LINES, name: 'lines that are gone', condition: 'l.missing_since is not null' }

/** The lines themselves: those that the platform has, or those that are gone from it. */
export function toLines({ goneOnly }: Pick<LineFilters, 'goneOnly'>): LineSource {
  return goneOnly ? GONE_LINES : LINES
}

/** The states of lines of a source that leaves lines with findings alone. */
export const STATES_OF_FLAGGED = toStates(STATE_OF_FLAGGED)

const INVOICES: Rollup = {
  ...toRollup('invoice_rollup', [
    'invoice_serial_number',
    'issuing_date',
    'profile_id',
    'profile_name',
    'invoice_mode',
    'invoice_status',
    'tax_regime',
    'tax_percentage',
  ]),
  issuedIn: 'days',
}

/**
 * The roll-ups and what each can tell apart, fewest rows first (migrations line_rollups,
 * ten_day_roll_ups, finer_roll_ups and verticals_by_month_of_issue). Each also has the connection
 * and the currency. A roll-up's `expense_date` is the first of ten days.
 */
const ROLLUPS: readonly Rollup[] = [
  toGrain('service', ['related_vertical', 'service']),
  toGrain('days_tax', ['expense_date', 'tax_regime', 'tax_percentage']),
  toGrain('cost_center_vertical', ['related_vertical', 'cost_center']),
  toGrain('days_profile', ['expense_date', 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status']),
  toGrain('days_vertical', ['expense_date', 'related_vertical']),
  toGrain('days_cost_center', ['expense_date', 'cost_center']),
  toGrain('days_issued', ['expense_date', 'issuing_date', 'related_vertical']),
  INVOICES,
  { ...toRollup('trip_rollup', ['trip_id', 'issuing_date']), datedLabel: 'max(l.dated_label)' },
]

/**
 * Sums by month of issue, which stand when the worker has made them (kept/month-sums), fewest rows
 * first. Of a key that a line can have several values of, each row has one.
 */
const MONTH_SUMS: readonly Rollup[] = [
  toMonthSum('policy', ['out_of_policy', 'related_vertical']),
  toMonthSum('label', ['labels']),
  toMonthSum('custom_field', ['custom_fields']),
  toMonthSum('country', ['country_code']),
  toMonthSum('tax', ['expense_date', 'tax_regime', 'tax_percentage']),
  toMonthSum('profile', ['expense_date', 'profile_id', 'profile_name']),
  toMonthSum('booker', ['booker_name']),
  toMonthSum('traveler', ['traveler_names']),
  toMonthSum('vendor', ['vendor_name', 'related_vertical']),
  toMonthSum('cost_center', ['expense_date', 'related_vertical', 'cost_center']),
]

/** The name of sums of trips by vertical and month of issue (kept/trip-sums). */
export const TRIPS_BY_MONTH = 'trip by month'

/** They stand with the sums by month, and sum what roll-ups do. */
const TRIP_SUMS: Rollup = {
  ...toRollup('trip_sum', ['issuing_date', 'trip_id', 'related_vertical']),
  name: TRIPS_BY_MONTH,
  from: `(select s.*, nullif(s.month, 'infinity') as issuing_date from trip_sum s) l`,
  datedLabel: 'max(l.dated_label)',
}

function toRollup(table: string, columns: LineColumn[]): Rollup {
  return {
    name: table,
    isRollup: true,
    from: `${table} l`,
    condition: 'true',
    lineCount: 'sum(l.line_count)',
    toLineStates: () => toStates('l.line_states'),
    datedLabel: 'null::text',
    having: '',
    span: null,
    columns: ['connection_id', 'currency', ...columns],
    issuedIn: 'months',
  }
}

function toGrain(grain: string, columns: LineColumn[]): Rollup {
  return { ...toRollup('line_rollup', columns), name: grain, condition: `l.grain = '${grain}'` }
}

function toMonthSum(grain: string, columns: LineColumn[]): Rollup {
  const sums = toRollup('month_sum', ['issuing_date', ...columns])
  return { ...sums, name: `${grain} by month`, condition: `l.grain = '${grain}'` }
}

/**
 * The smallest source that answers a question exactly: lines under these filters, told apart by
 * these columns (docs/decisions/016-roll-ups.md). Sums by month, when made, answer more:
 * `chooseMonthSums`.
 */
export function chooseLineSource(filters: LineFilters, columns: readonly ToldColumn[]): LineSource {
  return chooseAmong(ROLLUPS, filters, columns) ?? toLines(filters)
}

/**
 * The sums by month that answer it, if all months have them; null if none can. `ofLines`: figures
 * that no roll-up sums, to which lines of single days cannot be added.
 */
export function chooseMonthSums(
  filters: LineFilters,
  columns: readonly ToldColumn[],
  { ofLines }: { ofLines: boolean },
): LineSource | null {
  if (ofLines) return isOfDays(filters) ? null : chooseAmong(MONTH_SUMS, filters, columns)
  return chooseAmong([...MONTH_SUMS, TRIP_SUMS], filters, columns)
}

function chooseAmong(
  rollups: readonly Rollup[],
  filters: LineFilters,
  columns: readonly ToldColumn[],
): LineSource | null {
  const filtered = listFilteredColumns(filters)
  if (filtered === null) return null
  const needed = [...filtered, ...columns].map((column) => (column === 'issuing_month' ? 'issuing_date' : column))
  const rollup = rollups.find(
    (each) => needed.every((column) => each.columns.includes(column)) && tellsDaysOfIssue(each, filters, columns),
  )
  if (rollup === undefined) return null
  return isOfDays(filters) ? toSpanSource(rollup, filters) : rollup
}

/** Months of issue tell what is asked for, where no month is asked for in part. */
function tellsDaysOfIssue({ issuedIn }: Rollup, filters: LineFilters, columns: readonly ToldColumn[]): boolean {
  if (issuedIn === 'days') return true
  return !columns.includes('issuing_date') && (isOfDays(filters) || isWholeMonths(filters))
}

/** The sums of each invoice, if they tell apart what the filters compare; else null. */
export function chooseInvoiceSource(filters: LineFilters): LineSource | null {
  return listFilteredColumns(filters)?.every((column) => INVOICES.columns.includes(column)) ? INVOICES : null
}

/** Sums of ten days each, and the lines of the days that these lack or have too many. */
function toSpanSource({ name, from, condition, columns, ...rollup }: Rollup, filters: LineFilters): LineSource | null {
  const span = splitSpan(filters)
  if (span === null) return null
  if (span.ends.length === 0) return { ...rollup, name, from, condition }
  const kept = ['l.organization_id', ...columns.map((column) => `l.${column}`)].join(', ')
  const ends = span.ends.map(({ sign }, at) => {
    const counted = sign === 1 ? '' : '-'
    return `select ${at}, ${kept}, ${sign}, ${counted}l.total_amount, ${counted}l.finding_count, ${counted}(${PACKED_STATE})
            from ${LINES.from} where ${LINES.condition}`
  })
  const sums = `select ${span.ends.length} as part, ${kept}, l.line_count, l.total_amount, l.finding_count, l.line_states
                  from ${from} where ${condition}`
  return {
    ...rollup,
    name: `${name}, days`,
    from: `(${[sums, ...ends].join(' union all ')}) l`,
    condition: 'true',
    having: 'having sum(l.line_count) <> 0',
    span,
  }
}

const COMPARED = listCompared(LINE_FILTERS)

function listCompared<Table extends FilterTable<keyof typeof STORED_LINE_FIELDS>>(filters: Table) {
  return Object.entries(filters).flatMap(([name, { filter }]) =>
    filter?.of === undefined
      ? []
      : { name: name as ComparedIn<Table>, column: STORED_LINE_FIELDS[filter.of].column as LineColumn },
  )
}

/** Filters that a roll-up can answer although they compare no field as it is: their days. */
const OF_DAYS: (keyof LineFilters)[] = ['from', 'to', 'dateField', 'months', 'issueMonths']

/** All others look at single lines: a new filter does, unless it compares a field. */
const OF_SINGLE_LINES = (Object.keys(LINE_FILTERS) as (keyof LineFilters)[]).filter(
  (name) => !OF_DAYS.includes(name) && !COMPARED.some((each) => each.name === name),
)

/** The columns that the set filters compare; null if a filter looks at single lines. */
function listFilteredColumns(filters: LineFilters): LineColumn[] | null {
  const isSet = (value: LineFilters[keyof LineFilters]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))
  if (OF_SINGLE_LINES.some((name) => isSet(filters[name]))) return null
  const compared = COMPARED.filter(({ name }) => filters[name].length > 0).map(({ column }) => column)
  // whole months, of which no sum of ten days has only a part
  if (filters.months.length > 0) compared.push('expense_date')
  if (filters.issueMonths.length > 0) compared.push('issuing_date')
  if (filters.from === null && filters.to === null) return compared
  return [...compared, filters.dateField === 'issued' ? 'issuing_date' : 'expense_date']
}

function isOfDays({ from, to, dateField }: LineFilters): boolean {
  return dateField === 'expense' && (from !== null || to !== null)
}
