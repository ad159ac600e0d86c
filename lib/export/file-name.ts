/** What an address says beside filters: order and place. */
const NO_FILTERS = ['sort', 'page', 'size', 'by', 'beside', 'format']

/**
 * The name of a file by what it holds, so that two of one day tell themselves apart:
 * `lines-2026-Q3-by-expense-EUR-filtered`. `filters`: the canonical query of the list, of which
 * only periods, days and currencies are repeated, none of them a text of somebody else.
 */
export function toFileSubject(list: string, filters: string): string {
  const asked = new URLSearchParams(filters)
  const days = [asked.get('from'), asked.get('to')]
  const parts = [
    asked.get('period'),
    days.some((day) => day !== null) ? days.map((day) => day ?? 'open').join('-to-') : null,
    asked.get('date') === 'expense' ? 'by-expense' : null,
    ...asked.getAll('currency'),
    [...asked.keys()].some((name) => !SAID.has(name) && !NO_FILTERS.includes(name)) ? 'filtered' : null,
  ]
  return [list, ...parts.filter((part) => part !== null && /^[\w-]+$/.test(part))].join('-')
}

/** Filters that a name repeats. */
const SAID = new Set(['period', 'from', 'to', 'date', 'currency'])
