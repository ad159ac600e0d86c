'use client'

import { type ChangeEvent, useId } from 'react'
import { classNames } from '#components/class-names.ts'
import type { FilterValues } from '#components/query/list-address.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { listDatePresets } from './date-presets.ts'

type DatePickerProps = {
  filters: Partial<FilterValues>
  onChange: (patch: Partial<FilterValues>) => void
}

const INPUT = 'h-8 w-full rounded-md border border-line2 bg-bg px-2 text-[13px] tabular-nums max-md:text-[16px]'

/** Chooses the days, and which date of a line they apply to. */
export function DatePicker({ filters, onChange }: DatePickerProps) {
  const id = useId()
  const today = new Date()
  const onDay = (side: 'from' | 'to') => (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.target.value
    const day = parseDay(text)
    // a year is typed digit by digit: 0002 is on its way to 2026
    if (text === '' || (day !== null && day >= '1900')) onChange({ [side]: day })
  }
  return (
    <div className="p-3">
      {filters.dateField !== undefined && (
        <fieldset className="mb-3 flex gap-1 rounded-md bg-hover p-0.5">
          <legend className="sr-only">Which date</legend>
          {(['expense', 'issued'] as const).map((field) => (
            <label
              key={field}
              className={classNames(
                'flex-1 rounded px-2 py-1 text-center text-[12.5px] has-focus-visible:outline-2 has-focus-visible:outline-accent',
                filters.dateField === field
                  ? 'bg-bg font-medium text-ink shadow-[0_0_0_1px_var(--line2)]'
                  : 'text-ink2',
              )}
            >
              <input
                type="radio"
                name={`${id}-field`}
                checked={filters.dateField === field}
                onChange={() => onChange({ dateField: field })}
                className="sr-only"
              />
              {field === 'expense' ? 'Expense date' : 'Issuing date'}
            </label>
          ))}
        </fieldset>
      )}
      <div className="grid grid-cols-2 gap-2">
        <label className="text-[12px] text-ink3">
          From
          <input
            // biome-ignore lint/a11y/noAutofocus: opened by a person who is about to type
            autoFocus
            type="date"
            defaultValue={filters.from ?? ''}
            key={`from ${filters.from}`}
            onChange={onDay('from')}
            className={INPUT}
          />
        </label>
        <label className="text-[12px] text-ink3">
          To
          <input
            type="date"
            defaultValue={filters.to ?? ''}
            key={`to ${filters.to}`}
            onChange={onDay('to')}
            className={INPUT}
          />
        </label>
      </div>
      <div className="mt-3 grid grid-cols-2 gap-x-2">
        {listDatePresets(today.getFullYear(), today.getMonth() + 1).map(({ label, from, to }) => (
          <button
            key={label}
            type="button"
            aria-pressed={filters.from === from && filters.to === to}
            onClick={() => onChange({ from, to })}
            className="h-7 rounded-md px-2 text-left text-[13px] text-ink2 hover:bg-hover hover:text-ink aria-pressed:text-accent"
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
