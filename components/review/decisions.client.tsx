'use client'

import { useRouter } from 'next/navigation'
import { buttonClass } from '#components/primitives/button.ts'
import { Kbd } from '#components/primitives/kbd.tsx'
import { plural } from '#components/text/plural.ts'
import { DecisionDialog } from './decision-dialog.client.tsx'
import type { AskedOf, Made } from './decision-flow.ts'
import { DecisionProgress } from './decision-progress.client.tsx'
import { KIND_WORDS } from './review-looks.ts'

/** What somebody wants to decide. `isQuick`: at once, if there is nothing to choose. */
export type DecisionWish = AskedOf & { isQuick: boolean }

/** The last decision that was made here: one step back leads to before it. */
export type LastDecision = {
  number: string
  of: 'line' | 'invoice'
  kind: DecisionWish['kind']
  lineCount: number
  isApplied: boolean
  isUndone: boolean
}

type DecisionsProps = {
  wish: DecisionWish | null
  made: LastDecision | null
  onWish: (wish: DecisionWish | null) => void
  onMade: (made: LastDecision) => void
}

/** The dialog of a decision, and what was done, with the step back. */
export function Decisions({ wish, made, onWish, onMade }: DecisionsProps) {
  const router = useRouter()
  const finish = ({ number, changedLines, lineCount, isApplied }: Made, asked: AskedOf) => {
    onWish(null)
    onMade(
      asked.kind === 'undo' && made !== null
        ? { ...made, isUndone: true }
        : {
            number,
            of: (asked.kind !== 'undo' && asked.of) || 'line',
            kind: asked.kind,
            lineCount: isApplied ? changedLines : lineCount,
            isApplied,
            isUndone: false,
          },
    )
    router.refresh()
  }
  return (
    <>
      {wish !== null && (
        <DecisionDialog
          key={JSON.stringify(wish)}
          asked={wish}
          isQuick={wish.isQuick}
          onDone={finish}
          onClose={() => onWish(null)}
        />
      )}
      {made !== null && (
        <span className="decision-made">
          {made.isUndone ? (
            <>Decision {made.number} is taken back</>
          ) : (
            <>
              {plural(made.lineCount, made.of)} {KIND_WORDS[made.kind].done}
              {!made.isApplied && <DecisionProgress number={made.number} onEnded={() => router.refresh()} />}
              {made.kind !== 'withdraw' && (
                <button
                  type="button"
                  onClick={() => onWish({ kind: 'undo', decision: made.number, isQuick: true })}
                  className={buttonClass({ look: 'plain', size: 'small' })}
                >
                  Undo <Kbd>U</Kbd>
                </button>
              )}
            </>
          )}
        </span>
      )}
    </>
  )
}
