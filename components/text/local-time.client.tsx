'use client'

import { useEffect, useState } from 'react'

/**
 * A moment as the reader's clock shows it, `2:32:05 PM`; without scripts in UTC. The date on hover.
 * `at` is ISO 8601.
 */
export function LocalTime({ at }: { at: string }) {
  const [shown, setShown] = useState({ text: `${at.slice(11, 19)} UTC`, exact: at })
  useEffect(() => {
    const moment = new Date(at)
    setShown({
      text: moment.toLocaleTimeString(undefined, { timeStyle: 'medium' }),
      exact: moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
    })
  }, [at])
  return (
    <time dateTime={at} title={shown.exact}>
      {shown.text}
    </time>
  )
}
