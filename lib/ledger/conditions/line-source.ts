import { STORED_LINE_FIELDS } from '../fields/line-fields.ts'
import { LINE_FILTERS, type LineFilters } from '../query/line-query.ts'
import type { ComparedIn, FilterTable } from '../query/list-query.ts'

/** Columns of `line` that a question can name; roll-ups have some of them, under the same names. */
export type LineColumn = (typeof STORED_LINE_FIELDS)[keyof typeof STORED_LINE_FIELDS]['column']

/**
 * Where a question about many lines is answered: the lines, or sums of them. Rows of either come as
 * `l`, so conditions and keys read the same.
 */
export type LineSource = {
  name: string
  from: string
  /** Narrows the rows to those that count. */
  condition: string
  /** How many lines a group of rows stands for. */
  lineCount: string
  /** A trip's dated label in a group of rows; see `toTripLabel`. */
  datedLabel: string
}

type Rollup = LineSource & { columns: readonly LineColumn[] }

/** The lines themselves answer every question. */
export const LINES: LineSource = {
  name: 'lines',
  from: 'line l',
  // what the platform no longer has stays stored and shows under Changes
  condition: 'l.missing_since is null',
  lineCount: 'count(*)',
  datedLabel: `max(l.expense_date::text || ' ' || l.trip_name)`,
}

/**
 * The roll-ups and what each can tell apart, fewest rows first (migration line_rollups). Each also
 * has the connection and the currency. A roll-up's `expense_date` is the first day of the month.
 */
const ROLLUPS: readonly Rollup[] = [
  toGrain('month_tax', ['expense_date', 'tax_regime', 'tax_percentage']),
  toGrain('month_vertical', ['expense_date', 'related_vertical']),
  toGrain('service', ['related_vertical', 'service']),
  toGrain('month_profile', ['expense_date', 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status']),
  toGrain('cost_center_vertical', ['related_vertical', 'cost_center']),
  toGrain('month_cost_center', ['expense_date', 'cost_center']),
  toRollup('invoice_rollup', [
    'invoice_serial_number',
    'issuing_date',
    'profile_id',
    'profile_name',
    'invoice_mode',
    'invoice_status',
    'tax_regime',
    'tax_percentage',
  ]),
  { ...toRollup('trip_rollup', ['trip_id']), datedLabel: 'max(l.dated_label)' },
]

function toRollup(table: string, columns: LineColumn[]): Rollup {
  return {
    name: table,
    from: `${table} l`,
    condition: 'true',
    lineCount: 'sum(l.line_count)',
    datedLabel: 'null::text',
    columns: ['connection_id', 'currency', ...columns],
  }
}

function toGrain(grain: string, columns: LineColumn[]): Rollup {
  return { ...toRollup('line_rollup', columns), name: grain, condition: `l.grain = '${grain}'` }
}

/**
 * The smallest source that answers a question exactly: lines under these filters, told apart by
 * these columns. No other code decides this (docs/decisions/016-roll-ups.md).
 */
export function chooseLineSource(filters: LineFilters, columns: readonly LineColumn[]): LineSource {
  const filtered = listFilteredColumns(filters)
  if (filtered === null) return LINES
  const needed = [...filtered, ...columns]
  return ROLLUPS.find((rollup) => needed.every((column) => rollup.columns.includes(column))) ?? LINES
}

const COMPARED = listCompared(LINE_FILTERS)

function listCompared<Table extends FilterTable<keyof typeof STORED_LINE_FIELDS>>(filters: Table) {
  return Object.entries(filters).flatMap(([name, { filter }]) =>
    filter?.of === undefined
      ? []
      : { name: name as ComparedIn<Table>, column: STORED_LINE_FIELDS[filter.of].column as LineColumn },
  )
}

/** The columns that the set filters compare; null if a filter looks at single lines. */
function listFilteredColumns(filters: LineFilters): LineColumn[] | null {
  if (filters.findingsOnly || filters.findingCodes.length > 0 || filters.outcomes.length > 0 || filters.text !== '')
    return null
  const compared = COMPARED.filter(({ name }) => filters[name].length > 0).map(({ column }) => column)
  if (filters.from === null && filters.to === null) return compared
  if (filters.dateField === 'issued') return [...compared, 'issuing_date']
  return isWholeMonths(filters) ? [...compared, 'expense_date'] : null
}

/** Whether the days begin and end months: then the months' first days compare alike. */
function isWholeMonths({ from, to }: LineFilters): boolean {
  const isFirst = from === null || from.endsWith('-01')
  return isFirst && (to === null || isLastOfMonth(to))
}

function isLastOfMonth(day: string): boolean {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60_000).getUTCDate() === 1
}
