'use client'

import { useEffect, useState } from 'react'
import { formatMoment } from '#lib/reconcile/moment.ts'
import { describeSpan } from './describe-span.ts'

type RelativeTimeProps = {
  /** ISO 8601. */
  at: string
  /**
   * The server's clock in milliseconds when it rendered the page; the browser's first render
   * matches.
   */
  now: number
}

/** `3 minutes ago`, `in 6 days`, kept current; the exact time in the reader's zone on hover. */
export function RelativeTime({ at, now }: RelativeTimeProps) {
  const [clock, setClock] = useState(now)
  useEffect(() => {
    const tick = () => setClock(Date.now())
    tick()
    const timer = setInterval(tick, 20_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatMoment(at, { withZone: true })}>
      {describeSpan(Date.parse(at) - clock)}
    </time>
  )
}
