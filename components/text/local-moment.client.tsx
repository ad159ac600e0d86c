'use client'

import { useEffect, useState } from 'react'

/**
 * A day and a time on the reader's clock; UTC without scripts. `at` is ISO 8601 in UTC; hovering
 * shows it as it is.
 */
export function LocalMoment({ at }: { at: string }) {
  const [text, setText] = useState(`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`)
  useEffect(() => {
    setText(new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }))
  }, [at])
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}
