/** What a list's verbs and keys decide about its rows. Loads after the page. */
import { countSelected, type Selection } from '#components/table/selection.ts'
import type { ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import type { DecisionWish, LastDecision } from './decisions.client.tsx'

export type RowsAtHand<Row> = {
  /** Rows are lines without it. */
  of?: 'invoice'
  selection: Selection<Row>
  /** Null while they are counted. */
  count: number | null
  /** The list's address among all lines or invoices. */
  search: string
  toKey: (row: Row) => string
  made: LastDecision | null
  onWish: (wish: DecisionWish) => void
}

/**
 * Asks to decide about the row of this key, or about what is selected if there is none. A single
 * row is decided at once, if there is nothing to choose.
 */
export function decideRows<Row>(kind: ReviewVerb, key: string | null, rows: RowsAtHand<Row>): void {
  const { of, selection, search, onWish } = rows
  const keys = key === null ? [...selection.rows.keys()] : [key]
  if (keys.length === 0 && !selection.isAll) return
  const set = key === null && selection.isAll ? { except: keys } : { only: keys }
  onWish({ kind, ...(of && { of }), search, ...set, isQuick: key !== null })
}

const KIND_OF_KEY: Record<string, ReviewVerb> = { a: 'accept', d: 'dispute' }

/** Does what the key stands for with the selection or the row. False: it stands for nothing. */
export function pressDecisionKey<Row>(pressed: string, row: Row | null, rows: RowsAtHand<Row>): boolean {
  const kind = KIND_OF_KEY[pressed]
  if (kind !== undefined) {
    if (countSelected(rows.selection, rows.count ?? 0) > 0) decideRows(kind, null, rows)
    else if (row !== null) decideRows(kind, rows.toKey(row), rows)
  } else if (pressed === 'u') {
    if (rows.made !== null) rows.onWish({ kind: 'undo', decision: rows.made.number, isQuick: true })
  } else return false
  return true
}
