'use client'

import { useState } from 'react'

type DueDayProps = { day: string | null; set: (day: string | null) => Promise<void> }

/** Until when it is to be done, set when the field is left: typing a day passes through others. */
export function DueDay({ day, set }: DueDayProps) {
  const [typed, setTyped] = useState(day ?? '')
  const keep = () => {
    if (typed !== (day ?? '')) void set(typed === '' ? null : typed)
  }
  return (
    <label className="flex items-center gap-1.5 text-ink3">
      due
      <input
        type="date"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep()
        }}
        className="field h-6 text-ink"
      />
    </label>
  )
}
