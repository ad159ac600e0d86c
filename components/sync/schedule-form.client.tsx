'use client'

import { useState } from 'react'
import type { ConnectionId } from '#lib/ids.ts'
import { describeInterval } from './schedule-words.ts'

type ScheduleFormProps = { connectionId: ConnectionId; minutes: number; choices: readonly number[]; note: string }

/**
 * How often the account syncs. Saving is a separate step, as arrow keys walk through the choices;
 * the button replaces the note, so nothing moves.
 */
export function ScheduleForm({ connectionId, minutes, choices, note }: ScheduleFormProps) {
  const [chosen, setChosen] = useState(minutes)
  return (
    <form method="post" action={`/api/connections/${connectionId}/sync/schedule`}>
      <select
        name="minutes"
        aria-label="Sync automatically"
        value={chosen}
        onChange={(event) => setChosen(Number(event.target.value))}
        className="-ml-1 block h-5 max-w-full bg-transparent text-[13px] text-ink max-md:h-8 max-md:text-[16px]"
      >
        {[...new Set([...choices, minutes])].map((choice) => (
          <option key={choice} value={choice}>
            {describeInterval(choice)}
          </option>
        ))}
      </select>
      {chosen === minutes ? (
        <div className="truncate text-[12px] text-ink3 leading-4">
          {note}
          <noscript>
            {' · '}
            <button type="submit">Save</button>
          </noscript>
        </div>
      ) : (
        <button
          type="submit"
          className="block text-[12px] text-accent leading-4 underline underline-offset-2 max-md:py-1 max-md:text-[14px]"
        >
          Save
        </button>
      )}
    </form>
  )
}
