'use client'

import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 120
const FAILED = 'These could not be searched. Type again to retry.'

/**
 * What a GET of ours answers while a person types: asked once typing rests, `read` as it was asked.
 * An answer stays until there is a newer one; null asks for nothing. `note` says what stands in the
 * place of an answer.
 */
export function useAsked<Answer>(
  address: string | null,
  read: (body: unknown) => Answer,
): { answer: Answer | null; note: string | null } {
  const [found, setFound] = useState<{ answer: Answer | null; note: string | null }>(SEARCHING)
  const latestRead = useRef(read)
  useEffect(() => {
    latestRead.current = read
  })
  useEffect(() => {
    if (address === null) return
    const controller = new AbortController()
    const readThen = latestRead.current
    const timer = setTimeout(async () => {
      try {
        const answer = await fetch(address, { signal: controller.signal })
        if (!answer.ok) throw new Error(`answered ${answer.status}`)
        setFound({ answer: readThen(await answer.json()), note: null })
      } catch {
        if (!controller.signal.aborted) setFound({ answer: null, note: FAILED })
      }
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [address])
  return found
}

const SEARCHING = { answer: null, note: 'Searching…' }
