'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { chipClass } from '#components/primitives/chip.ts'
import { X } from '#components/primitives/icons.tsx'
import type { Trigger } from '#components/primitives/opener.client.tsx'
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
  const body = 'chip-text'
  const text = (
    <>
      {label}
      {value !== null && <bdi title={valueText}>{value}</bdi>}
    </>
  )
  return (
    <span className={chipClass({ look: value === null ? 'on' : 'plain', body: 'parts' })}>
      {field ? (
        wrap(
          // its name holds what it shows, word by word: people who speak to it say what they see
          <button
            type="button"
            className={classNames(body, 'hover:bg-hover')}
            aria-label={`Filter ${[label, value].filter(Boolean).join(' ')}`}
          >
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
        className="chip-remove"
      >
        <X size={12} />
      </button>
    </span>
  )
}
