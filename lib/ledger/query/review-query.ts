/** The review's query: the lines list's, with a tab in place of the filter that a tab is. */
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { columnsOf, DENSITY } from './column-parameters.ts'
import { LINE_COLUMN_NAMES } from './line-columns.ts'
import { LINE_FILTERS, LINE_SORT_KEYS, type LineQuery, type LineSortKey } from './line-query.ts'
import { BESIDE, defineQuery, oneOf, PAGE, PAGE_SIZE, type QueryOf, sortOf } from './list-query.ts'
import type { Sort } from './search-params.ts'

/**
 * Which lines each tab has, by where they stand. Done are those with findings: what was accepted
 * without any needed nobody's look, and may be a whole ledger.
 */
export const REVIEW_TABS = {
  open: ['open'],
  // whoever looks has them, or is named in their comments
  mine: [],
  disputed: ['disputed'],
  suspended: ['suspended'],
  done: ['accepted', 'settled'],
} as const satisfies Record<string, ReviewChoice[]>

export type ReviewTab = keyof typeof REVIEW_TABS

/** Shown unless an address chooses others. */
const OWN_COLUMNS = ['description', 'invoice', 'total_amount', 'currency', 'finding', 'review', 'first_seen'] as const

const { reviews: _, concerned: __, ...FILTERS } = LINE_FILTERS

/** Of what is disputed it says how long the platform has had to answer. */
const OWN_COLUMNS_OF_DISPUTES = [...OWN_COLUMNS.slice(0, -1), 'disputed', 'letter'] as const

/** The largest unexplained difference of a currency first. */
const OWN_SORT: Sort<LineSortKey> = { key: 'difference', descending: true }

export const REVIEW_QUERY = defineQuery({
  tab: oneOf('tab', Object.keys(REVIEW_TABS) as [ReviewTab, ...ReviewTab[]]),
  ...FILTERS,
  sort: sortOf(LINE_SORT_KEYS, OWN_SORT),
  columns: columnsOf(LINE_COLUMN_NAMES),
  density: DENSITY,
  page: PAGE,
  beside: BESIDE,
  pageSize: PAGE_SIZE,
})

export type ReviewQuery = QueryOf<typeof REVIEW_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { parse: parseReviewQuery, write: writeReviewQuery } = REVIEW_QUERY

/** The lines that it shows to a person, as a query of lines. */
export function toReviewedLines({ tab, ...query }: ReviewQuery, userId: string): LineQuery {
  const own = tab === 'disputed' ? OWN_COLUMNS_OF_DISPUTES : OWN_COLUMNS
  const columns: LineQuery['columns'] =
    query.columns.length > 0 ? query.columns : own.map((name) => ({ name, isPinned: false, width: null }))
  return {
    ...query,
    columns,
    reviews: [...REVIEW_TABS[tab]],
    findingsOnly: query.findingsOnly || tab === 'done',
    concerned: tab === 'mine' ? [userId] : [],
    view: null,
  }
}
