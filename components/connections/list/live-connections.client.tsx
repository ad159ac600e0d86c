'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { readAnswer } from '#components/query/read-answer.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { isBusy } from '../connection-state.ts'

const EVERY_MS = 1000
/** Many connections make a large answer, and nobody follows each of them by the second. */
const EVERY_MS_OF_MANY = 3000
const MANY = 20

/**
 * The connections as the server rendered them, in its order, then polled while something is under
 * way and the page is visible. When the last one comes to rest, the whole page is refreshed. `now`
 * advances with each answer.
 */
export function useLiveConnections(
  drawn: ConnectionSummary[],
  drawnAt: number,
): { connections: ConnectionSummary[]; now: number; isStale: boolean; look: () => void } {
  const router = useRouter()
  const [live, setLive] = useState<{
    from: ConnectionSummary[]
    byId: Map<string, ConnectionSummary>
    at: number
  } | null>(null)
  const [isStale, setStale] = useState(false)
  const [looks, setLooks] = useState(0)
  const isLive = live?.from === drawn
  const connections = isLive ? drawn.map((connection) => live.byId.get(connection.id) ?? connection) : drawn
  const isAnyBusy = connections.some(isBusy)

  useEffect(() => {
    if (!isAnyBusy && looks === 0) return
    const everyMs = drawn.length > MANY ? EVERY_MS_OF_MANY : EVERY_MS
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        const answer = await readAnswer<{ connections: ConnectionSummary[] }>('/api/connections', controller.signal)
        if (controller.signal.aborted) return
        setStale(answer.status !== 'ready')
        if (answer.status === 'ready') {
          const byId = new Map(answer.value.connections.map((connection) => [connection.id, connection]))
          setLive({ from: drawn, byId, at: Date.now() })
          setLooks(0)
          if (!drawn.some(({ id }) => isBusy(byId.get(id) ?? ({} as ConnectionSummary)))) return router.refresh()
        }
      }
      timer = setTimeout(ask, everyMs)
    }
    timer = setTimeout(ask, looks === 0 ? everyMs : 0)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [isAnyBusy, looks, drawn, router])

  return { connections, now: isLive ? live.at : drawnAt, isStale, look: () => setLooks(looks + 1) }
}
