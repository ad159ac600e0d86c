import { VerdictText } from '#components/verdict/verdict-text.tsx'
import type { CoverageState } from '#lib/ledger/model.ts'
import { STATES, type State } from '#lib/reconcile/verdict.ts'
import { CELL_LOOKS } from './coverage-looks.ts'
import { STATE_LABELS } from './coverage-words.ts'

/** Explains the looks of the cells, and the marks in them, that the calendar has. */
export function CoverageLegend({ states, verdicts }: { states: CoverageState[]; verdicts: State[] }) {
  const shown = (Object.keys(STATE_LABELS) as CoverageState[]).filter((state) => states.includes(state))
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[12px] text-ink2">
      {shown.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <span aria-hidden className={`h-3.5 w-5 shrink-0 rounded-[3px] ${CELL_LOOKS[state]}`} />
          {STATE_LABELS[state]}
        </li>
      ))}
      {STATES.filter((state) => state !== 'ties_out' && verdicts.includes(state)).map((state) => (
        <li key={state}>
          <VerdictText state={state} />
        </li>
      ))}
    </ul>
  )
}
