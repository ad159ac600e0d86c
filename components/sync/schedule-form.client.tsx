'use client'

import { type ReactNode, useState } from 'react'
import type { SyncSchedule } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { describeInterval } from './schedule-words.ts'

type ScheduleFormProps = {
  connectionId: ConnectionId
  /** The interval that is chosen, and its name for screen readers. */
  name: keyof SyncSchedule
  label: string
  value: number
  choices: readonly number[]
  /** The minutes of one. */
  unit: number
  note: ReactNode
}

/**
 * How often something of the account is read. Saving is a separate step, as arrow keys walk through
 * the choices; the button replaces the note, so nothing moves.
 */
export function ScheduleForm({ connectionId, name, label, value, choices, unit, note }: ScheduleFormProps) {
  const [chosen, setChosen] = useState(value)
  return (
    <form method="post" action={`/api/connections/${connectionId}/sync/schedule`}>
      <select
        name={name}
        aria-label={label}
        value={chosen}
        onChange={(event) => setChosen(Number(event.target.value))}
        className="-ml-1 block h-5 max-w-full bg-transparent text-[13px] text-ink max-md:h-8 max-md:text-[16px]"
      >
        {[...new Set([...choices, value])].map((choice) => (
          <option key={choice} value={choice}>
            {describeInterval(choice * unit)}
          </option>
        ))}
      </select>
      {chosen === value ? (
        <div className="text-[12px] text-ink3 leading-4">
          {note}
          <noscript>
            {' · '}
            <button type="submit">Save</button>
          </noscript>
        </div>
      ) : (
        <button
          type="submit"
          className="block text-[12px] text-accent leading-4 py-1 underline underline-offset-2 max-md:text-[14px]"
        >
          Save
        </button>
      )}
    </form>
  )
}
