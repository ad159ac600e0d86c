'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { readAnswer } from '../query/read-answer.ts'
import { isUnderWay } from './connection-state.ts'

const EVERY_MS = 1000

/**
 * The connections as the server drew them, then as they are while a sync runs: asked for each second as long as one is
 * under way and the page is in sight. When the last run has ended, the rest of the page is drawn anew.
 */
export function useLiveConnections(drawn: ConnectionSummary[]): {
  connections: ConnectionSummary[]
  isStale: boolean
  look: () => void
} {
  const router = useRouter()
  const [live, setLive] = useState<{ from: ConnectionSummary[]; connections: ConnectionSummary[] } | null>(null)
  const [isStale, setStale] = useState(false)
  const [isWished, setWished] = useState(false)
  const connections = live?.from === drawn ? live.connections : drawn
  const isBusy = connections.some((connection) => isUnderWay(connection.run))

  useEffect(() => {
    if (!isBusy && !isWished) return
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        const answer = await readAnswer<{ connections: ConnectionSummary[] }>('/api/connections', controller.signal)
        if (controller.signal.aborted) return
        setStale(answer.status !== 'ready')
        if (answer.status === 'ready') {
          setWished(false)
          setLive({ from: drawn, connections: answer.value.connections })
          if (!answer.value.connections.some((connection) => isUnderWay(connection.run))) return router.refresh()
        }
      }
      timer = setTimeout(ask, EVERY_MS)
    }
    timer = setTimeout(ask, isWished ? 0 : EVERY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [isBusy, isWished, drawn, router])

  return { connections, isStale, look: () => setWished(true) }
}
