/** What keys do with the lines of a list. Loads after the page. */
import { decideRows, pressDecisionKey, type RowsAtHand } from '#components/review/decide-rows.ts'
import { reachInPanel } from '#components/review/reach-in-panel.ts'
import type { LineRow } from '#lib/ledger/model.ts'

/** `open`: opens a line's panel. */
type LinesAtHand = RowsAtHand<LineRow> & { open: (row: LineRow) => void }

export const decideLines = decideRows<LineRow>

/** Does what the key stands for with the current row; null where there is none. */
export function pressLineKey(pressed: string, row: LineRow | null, lines: LinesAtHand): void {
  if (pressDecisionKey(pressed, row, lines) || row === null) return
  lines.open(row)
  reachInPanel(pressed === 'c' ? 'comment' : 'assign')
}
