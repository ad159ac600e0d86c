'use client'

import { useEffect, useState } from 'react'

/**
 * A moment on the reader's clock, `2:32:05 PM`, with the date on hover; UTC without scripts. `at`
 * is ISO 8601.
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
