'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { readAnswer } from '#components/query/read-answer.ts'
import type { SyncActivity } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'

const EVERY_MS = 1000
/** The whole page refreshes more slowly, and at once when the sync changes state. */
const LOOKS_PER_REDRAW = 4

/**
 * The connection's sync as the server rendered it, then polled every second while a run is under
 * way and the page is visible. Call `look` after a change to poll at once.
 */
export function useLiveSync(connectionId: ConnectionId, drawn: SyncActivity) {
  const router = useRouter()
  const [asked, setAsked] = useState(drawn)
  const [isStale, setStale] = useState(false)
  // the page may be older or newer than the last answer
  const activity = asked.at > drawn.at ? asked : drawn
  const isBusy = isUnderWay(activity.run)
  const turn = useRef(toTurn(activity))
  const looks = useRef(0)

  async function look(signal?: AbortSignal): Promise<void> {
    const answer = await readAnswer<SyncActivity>(`/api/connections/${connectionId}/sync`, signal)
    if (signal?.aborted) return
    setStale(answer.status !== 'ready')
    if (answer.status !== 'ready') return
    setAsked(answer.value)
    looks.current += 1
    if (looks.current % LOOKS_PER_REDRAW === 0) router.refresh()
  }

  // also when the page itself is newer: its other parts may have been read a moment earlier
  const turnNow = toTurn(activity)
  useEffect(() => {
    if (turnNow === turn.current) return
    turn.current = turnNow
    router.refresh()
  }, [turnNow, router])

  const latestLook = useRef(look)
  latestLook.current = look

  useEffect(() => {
    if (!isBusy) return
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      if (document.visibilityState === 'visible') await latestLook.current(controller.signal)
      if (!controller.signal.aborted) timer = setTimeout(ask, EVERY_MS)
    }
    timer = setTimeout(ask, EVERY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [isBusy])

  return { activity, isStale, look: () => look() }
}

/** What the rest of the page depends on, besides the counts. */
function toTurn({ run }: SyncActivity): string {
  return run === null ? '' : [run.id, run.status, run.waitsUntil !== null].join(' ')
}
