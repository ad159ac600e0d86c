'use client'

import { useEffect, useRef, useState } from 'react'
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import type { LineDetail } from '#lib/ledger/model.ts'
import { parseLineKey } from './line-key.ts'

const MOST_KEPT = 100

export type DetailState = { status: 'loading' } | Answer<LineDetail>

/** The line behind a key. Lines seen before show at once; a late answer is dropped. */
export function useLineDetail(openKey: string): { state: DetailState; retry: () => void } {
  const kept = useRef(new Map<string, LineDetail>())
  const [answer, setAnswer] = useState<{ key: string; state: DetailState } | null>(null)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again for the same key
  useEffect(() => {
    const line = parseLineKey(openKey)
    if (line === null || kept.current.has(openKey)) return
    const controller = new AbortController()
    const ask = async () => {
      const search = new URLSearchParams({ connection: line.connectionId, id: line.id })
      const state = await readAnswer<LineDetail>(`/api/lines/detail?${search}`, controller.signal)
      if (controller.signal.aborted) return
      if (state.status === 'ready') {
        if (kept.current.size >= MOST_KEPT) kept.current.clear()
        kept.current.set(openKey, state.value)
      }
      setAnswer({ key: openKey, state })
    }
    void ask()
    return () => controller.abort()
  }, [openKey, attempt])

  const known = kept.current.get(openKey)
  const state: DetailState = known
    ? { status: 'ready', value: known }
    : answer?.key === openKey
      ? answer.state
      : { status: 'loading' }
  return {
    state,
    retry: () => {
      setAnswer(null)
      setAttempt(attempt + 1)
    },
  }
}
