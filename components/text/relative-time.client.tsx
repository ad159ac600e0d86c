'use client'

import { useEffect, useState } from 'react'
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

/** `3 minutes ago`, `in 6 days`, kept current; the exact time in the reader's locale on hover. */
export function RelativeTime({ at, now }: RelativeTimeProps) {
  const [clock, setClock] = useState(now)
  const [exact, setExact] = useState(at)
  useEffect(() => {
    const tick = () => setClock(Date.now())
    setExact(new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }))
    tick()
    const timer = setInterval(tick, 20_000)
    return () => clearInterval(timer)
  }, [at])
  return (
    <time dateTime={at} title={exact}>
      {describeSpan(Date.parse(at) - clock)}
    </time>
  )
}
