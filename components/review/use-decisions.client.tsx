'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { DecisionWish, LastDecision } from './decisions.client.tsx'

/** Loads with the first row that somebody decides about. */
const Decisions = lazy(async () => ({ default: (await import('./decisions.client.tsx')).Decisions }))

/**
 * What somebody wants to decide about the rows of a list, and what was decided last: its dialog and
 * the step back are the `slot`. `onDecided`: after a decision that is no undo.
 */
export function useDecisions(onDecided: () => void): {
  made: LastDecision | null
  onWish: (wish: DecisionWish | null) => void
  slot: ReactNode
} {
  const [wish, onWish] = useState<DecisionWish | null>(null)
  const [made, setMade] = useState<LastDecision | null>(null)
  const onMade = (next: LastDecision) => {
    setMade(next)
    if (wish?.kind !== 'undo') onDecided()
  }
  const slot = (wish !== null || made !== null) && (
    <Suspense>
      <Decisions wish={wish} made={made} onWish={onWish} onMade={onMade} />
    </Suspense>
  )
  return { made, onWish, slot }
}
