'use client'

import { useEffect, useState } from 'react'
import { describeSpan } from '#components/text/describe-span.ts'
import { formatMoment } from '#lib/reconcile/moment.ts'

type TokenTimeProps = {
  /** ISO 8601. */
  at: string
  /** The server's clock in milliseconds when it drew the page. */
  now: number
  /** `left`: how long until then, `16 days left`; `old`: how long since then, `3 hours old`. */
  kind: 'left' | 'old'
}

/** A token's remaining time or age, kept current; the exact time on hover. */
export function TokenTime({ at, now, kind }: TokenTimeProps) {
  const [clock, setClock] = useState(now)
  useEffect(() => {
    const tick = () => setClock(Date.now())
    tick()
    const timer = setInterval(tick, 20_000)
    return () => clearInterval(timer)
  }, [])
  const span = Date.parse(at) - clock
  return (
    <time dateTime={at} title={formatMoment(at, { withZone: true })}>
      {kind === 'left' ? toRest(span) : toAge(span)}
    </time>
  )
}

/** `41 minutes left`; `expired 2 hours ago`. */
function toRest(spanMs: number): string {
  return spanMs <= 0 ? `expired ${describeSpan(spanMs)}` : `${describeSpan(spanMs).replace(/^in /, '')} left`
}

/** `3 hours old`, `new`. */
function toAge(spanMs: number): string {
  return Math.abs(spanMs) < 60_000 ? 'new' : `${describeSpan(Math.min(0, spanMs)).replace(/ ago$/, '')} old`
}
