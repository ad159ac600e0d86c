'use client'

import { useEffect, useRef, useState } from 'react'
import { readAnswer } from '#components/query/read-answer.ts'
import type { Decision } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

const ASK_EVERY_MS = 1000

/** How far a large decision is, until it has ended. It goes on when the page is left. */
export function DecisionProgress({ number, onEnded }: { number: string; onEnded?: () => void }) {
  const [decision, setDecision] = useState<Decision | null>(null)
  const end = useRef(onEnded)
  useEffect(() => {
    const asked = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const answer = await readAnswer<Decision>(`/api/review/decisions?number=${number}`, asked.signal)
      if (asked.signal.aborted) return
      if (answer.status === 'ready') setDecision(answer.value)
      if (answer.status === 'ready' && answer.value.state !== 'applying') end.current?.()
      else timer = setTimeout(ask, ASK_EVERY_MS)
    }
    void ask()
    return () => {
      asked.abort()
      clearTimeout(timer)
    }
  }, [number])
  if (decision === null) return null
  const { state, seenLines, lineCount, changedLines } = decision
  const left = seenLines - changedLines
  return (
    <span role="status" className="decision-progress">
      {state === 'applying' ? (
        <>
          <progress max={lineCount} value={seenLines} aria-label="Applied" /> {formatCount(seenLines)} of{' '}
          {formatCount(lineCount)}
        </>
      ) : (
        `${state === 'stopped' ? 'stopped after ' : ''}${formatCount(changedLines)} done`
      )}
      {state !== 'applying' && left > 0 && `, ${formatCount(left)} left out: they changed meanwhile`}
    </span>
  )
}
