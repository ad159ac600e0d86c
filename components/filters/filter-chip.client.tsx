'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { chipClass } from '#components/primitives/chip.ts'
import { X } from '#components/primitives/icons.tsx'
import type { Trigger } from '#components/primitives/popover.client.tsx'
import type { Chip } from './filter-chips.ts'

type FilterChipProps = {
  chip: Chip
  onRemove: () => void
  /** Wraps the button of a chip that opens in its popover. */
  wrap: (button: Trigger) => ReactNode
}

/** An active filter: its name, its values and a button to remove it. */
export function FilterChip({ chip: { label, value, valueText, field }, onRemove, wrap }: FilterChipProps) {
  const name = valueText === '' ? label : `${label}: ${valueText}`
  const body = 'flex h-full min-w-0 items-center gap-1.5 rounded-l-full pl-2.5 pr-1'
  const text = (
    <>
      {label}
      {value !== null && (
        <bdi className="truncate font-medium text-ink" title={valueText}>
          {value}
        </bdi>
      )}
    </>
  )
  return (
    <span className={chipClass({ look: value === null ? 'on' : 'plain', body: 'parts' })}>
      {field ? (
        wrap(
          <button type="button" className={classNames(body, 'hover:bg-hover')} aria-label={`Filter ${name}`}>
            {text}
          </button>,
        )
      ) : (
        <span className={body}>{text}</span>
      )}
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove filter ${name}`}
        title="Remove"
        className="flex h-full items-center rounded-r-full pr-2 pl-1 text-ink3 hover:bg-hover hover:text-ink"
      >
        <X size={12} strokeWidth={2.25} />
      </button>
    </span>
  )
}
