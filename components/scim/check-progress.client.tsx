'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Banner } from '#components/primitives/banner.tsx'
import { readAnswer } from '#components/query/read-answer.ts'
import { describeSpan } from '#components/text/describe-span.ts'
import type { ScimCheckState, ScimStatus } from '#lib/connections/scim/scim-discovery.ts'
import type { ConnectionId } from '#lib/ids.ts'

const EVERY_MS = 1000
/** A check calls three endpoints, each for at most 15 seconds; a worker starts it at once. */
const LONG_MS = { queued: 15_000, running: 60_000 }

type CheckProgressProps = {
  connectionId: ConnectionId
  check: ScimCheckState
  /** The server's clock in milliseconds when it drew the page. */
  now: number
}

/**
 * Progress of the check, polled every second while the page is visible; refreshes the page at the
 * end.
 */
export function CheckProgress({ connectionId, check, now }: CheckProgressProps) {
  const router = useRouter()
  const [live, setLive] = useState(check)
  const [clock, setClock] = useState(now)
  const [isStale, setStale] = useState(false)

  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      setClock(Date.now())
      if (document.visibilityState === 'visible') {
        const answer = await readAnswer<ScimStatus>(`/api/connections/${connectionId}/scim`, controller.signal)
        if (controller.signal.aborted) return
        setStale(answer.status !== 'ready')
        if (answer.status === 'ready' && answer.value.check !== null) {
          setLive(answer.value.check)
          if (answer.value.check.finishedAt !== null) return router.refresh()
        }
      }
      timer = setTimeout(ask, EVERY_MS)
    }
    timer = setTimeout(ask, EVERY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [connectionId, router])

  const isQueued = live.status === 'queued'
  const since = Date.parse((isQueued ? live.requestedAt : live.startedAt) ?? live.requestedAt)
  const isLong = clock - since > LONG_MS[isQueued ? 'queued' : 'running']
  return (
    <Banner tone={isLong || isStale ? 'warn' : 'plain'} className="border-t">
      {isStale
        ? 'The server does not answer; retrying every second.'
        : isQueued
          ? 'The check is waiting for the worker.'
          : 'The worker is calling the platform.'}
      {isLong && !isStale && (
        <span className="text-ink2">
          {' '}
          {isQueued
            ? `It was requested ${describeSpan(since - clock)}; an operator should check that a worker is running.`
            : `It started ${describeSpan(since - clock)}; the platform is slow, or the worker stopped. The check then resumes automatically.`}
        </span>
      )}
    </Banner>
  )
}
