/** What an address says beside filters: order, looks and place. */
const NO_FILTERS = [
  'sort',
  'columns',
  'density',
  'page',
  'size',
  'by',
  'across',
  'measure',
  'in',
  'against',
  'open',
  'beside',
  'format',
  'until',
]

/**
 * The name of a file by what it holds, so that two of one day tell themselves apart:
 * `lines-2026-Q3-by-expense-EUR-filtered`. `filters`: the canonical query of the list, of which
 * only periods, days and currencies are repeated, none of them a text of somebody else.
 */
export function toFileSubject(list: string, filters: string): string {
  const asked = new URLSearchParams(filters)
  const days = [asked.get('from'), asked.get('to')]
  const hasDays = days.some((day) => day !== null)
  // days alone are of expense, a period is of issue, unless the address says otherwise
  const isOfExpense =
    list !== 'invoices' && (hasDays ? asked.get('date') !== 'issued' : asked.get('date') === 'expense')
  const parts = [
    asked.get('period') ?? asked.get('until'),
    hasDays ? days.map((day) => day ?? 'open').join('-to-') : null,
    isOfExpense ? 'by-expense' : null,
    ...asked.getAll('currency'),
    [...asked.keys()].some((name) => !SAID.has(name) && !NO_FILTERS.includes(name)) ? 'filtered' : null,
  ]
  return [list, ...parts.filter((part) => part !== null && /^[\w-]+$/.test(part))].join('-')
}

/** Filters that a name repeats. */
const SAID = new Set(['period', 'from', 'to', 'date', 'currency'])
