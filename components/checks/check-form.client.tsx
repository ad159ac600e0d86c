'use client'

import { type ReactNode, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { CHECK_LEVELS, type CheckCode, type CheckLevel } from '#lib/reconcile/checks/checks.ts'
import { LEVEL_WORDS } from './check-words.ts'

type CheckFormProps = {
  code: CheckCode
  /** The check in words, for screen readers. */
  label: string
  level: CheckLevel
  /** As it is written; null for a check without one. */
  tolerance: string | null
  /** What the address asks about: the values as they were sent, and what would become of it. */
  asked: AskedCheck | null
}

/** `effect` is null where the tolerance could not be read. */
export type AskedCheck = { level: CheckLevel; tolerance: string; effect: ReactNode | null }

/**
 * What becomes of one check. First what a change would do is asked of the server, then it is
 * applied; both without scripts, too. A tolerance that cannot be read stays as it was written.
 */
export function CheckForm({ code, label, level, tolerance, asked }: CheckFormProps) {
  const [chosen, setChosen] = useState(asked?.level ?? level)
  const [written, setWritten] = useState(asked?.tolerance ?? tolerance ?? '')
  const isChanged = chosen !== level || written !== (tolerance ?? '')
  const isAsked = asked !== null && chosen === asked.level && written === asked.tolerance
  const isUnclear = isAsked && asked.effect === null
  return (
    <form method="post" action="/api/checks" className="check-form">
      <input type="hidden" name="code" value={code} />
      <select
        name="level"
        aria-label={`${label}: result`}
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
            placeholder="no tolerance"
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
      {isAsked && isChanged && !isUnclear ? (
        <span className="check-effect" role="status">
          <span className="min-w-0">{asked.effect}</span>
          <button type="submit" className={buttonClass({ look: 'primary', size: 'small' })}>
            Apply
          </button>
        </span>
      ) : (
        isChanged && <Preview code={code} />
      )}
      <noscript>
        <Preview code={code} />
      </noscript>
    </form>
  )
}

/** Asks what the change would do: the page comes back with the answer, at this check. */
function Preview({ code }: { code: CheckCode }) {
  return (
    <button
      type="submit"
      formMethod="get"
      formAction={`/checks#${code}`}
      className={buttonClass({ look: 'primary', size: 'small' })}
    >
      Preview
    </button>
  )
}
