'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { CHECK_LEVELS, type CheckCode, type CheckLevel } from '#lib/reconcile/checks.ts'
import { LEVEL_WORDS } from './check-words.ts'

type CheckFormProps = {
  code: CheckCode
  /** The check in words, for screen readers. */
  label: string
  level: CheckLevel
  /** As it is written; null for a check without one. */
  tolerance: string | null
  isUnclear: boolean
}

/** What becomes of one check. Saving is a separate step, as arrow keys walk through the levels. */
export function CheckForm({ code, label, level, tolerance, isUnclear }: CheckFormProps) {
  const [chosen, setChosen] = useState(level)
  const [written, setWritten] = useState(tolerance ?? '')
  const isChanged = chosen !== level || written !== (tolerance ?? '')
  return (
    <form method="post" action="/api/checks" className="check-form">
      <input type="hidden" name="code" value={code} />
      <select
        name="level"
        aria-label={`${label}: what becomes of it`}
        className="field h-7"
        value={chosen}
        onChange={(event) => setChosen(event.target.value as CheckLevel)}
      >
        {CHECK_LEVELS.map((each) => (
          <option key={each} value={each}>
            {LEVEL_WORDS[each]}
          </option>
        ))}
      </select>
      {tolerance === null ? (
        <span className="text-[12px] text-ink3 max-md:hidden">no amount</span>
      ) : (
        <span className="min-w-0">
          <input
            name="tolerance"
            aria-label={`${label}: tolerance`}
            aria-invalid={isUnclear || undefined}
            aria-describedby={isUnclear ? `${code}-unclear` : undefined}
            className="field h-7 w-full"
            placeholder="none, to the last digit"
            autoComplete="off"
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
          {isUnclear && (
            <span id={`${code}-unclear`} className="mt-0.5 block text-[12px] text-bad">
              Write currency and amount, such as EUR 0.05, JPY 1.
            </span>
          )}
        </span>
      )}
      {isChanged && (
        <button type="submit" className={buttonClass({ look: 'primary', size: 'small' })}>
          Save
        </button>
      )}
      <noscript>
        <button type="submit">Save</button>
      </noscript>
    </form>
  )
}
