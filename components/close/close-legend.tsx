import type { CloseState } from '#lib/reconcile/close/close-state.ts'
import type { State } from '#lib/reconcile/verdict.ts'
import { CloseMark } from './close-text.tsx'

const LEGEND: { state: CloseState; worst: State; word: string }[] = [
  { state: 'open', worst: 'unexplained', word: 'unexplained' },
  { state: 'open', worst: 'explained', word: 'explained only' },
  { state: 'ready', worst: 'ties_out', word: 'ready' },
  { state: 'prepared', worst: 'ties_out', word: 'prepared' },
  { state: 'approved', worst: 'ties_out', word: 'approved' },
  { state: 'locked', worst: 'ties_out', word: 'locked' },
  { state: 'changed', worst: 'ties_out', word: 'changed since' },
]

/** What the marks mean. */
export function CloseLegend() {
  return (
    <ul aria-label="Marks" className="close-legend">
      {LEGEND.map(({ word, ...mark }) => (
        <li key={word}>
          <CloseMark {...mark} /> {word}
        </li>
      ))}
    </ul>
  )
}
