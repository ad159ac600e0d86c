'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '#components/class-names.ts'
import { Check } from '#components/primitives/icons.tsx'

type Option = {
  key: string
  label: string
  hint?: string
  /** Under the label, in full: how it differs from one that looks alike. */
  note?: string
  isChecked?: boolean
  choose: () => void
}

type OptionListProps = {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  options: Option[]
  /** Shown when no option matches. */
  empty: ReactNode
  /** Called for Backspace in the empty field. */
  onBack?: () => void
}

/**
 * A field that narrows a list of options (ARIA combobox): arrows move, Enter chooses, focus stays
 * in the field.
 */
export function OptionList({ label, placeholder, text, onText, options, empty, onBack }: OptionListProps) {
  const id = useId()
  const [wanted, setActive] = useState(0)
  const active = Math.min(wanted, Math.max(0, options.length - 1))
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((active + step + options.length) % Math.max(1, options.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      options[active]?.choose()
    } else if (event.key === 'Backspace' && text === '') onBack?.()
  }

  return (
    <div>
      <input
        // biome-ignore lint/a11y/noAutofocus: opened by a person who is about to type
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setActive(0)
          onText(event.target.value)
        }}
        onKeyDown={onKeyDown}
        className="h-9 w-full border-b bg-transparent px-3 text-[13px] placeholder:text-ink3 focus:outline-none max-md:text-[16px]"
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        aria-multiselectable={options.some(({ isChecked }) => isChecked !== undefined) || undefined}
        className="max-h-72 overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above handles the keys
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.isChecked ?? false}
            onPointerMove={({ movementX, movementY }) => {
              // a list that comes under a pointer that rests is no choice of it
              if (movementX !== 0 || movementY !== 0) setActive(index)
            }}
            onClick={option.choose}
            className={classNames(
              'flex min-h-8 items-center gap-2 rounded-md px-2 text-[13px]',
              index === active && 'bg-hover',
            )}
          >
            {option.isChecked !== undefined && <CheckBox isChecked={option.isChecked} />}
            <span className="min-w-0 flex-1">
              <bdi className="block truncate" dir="auto" title={option.label}>
                {option.label}
              </bdi>
              {option.note && <span className="block pb-1 text-[12px] text-ink3">{option.note}</span>}
            </span>
            {option.hint && <bdi className="shrink-0 text-[12px] text-ink3 tabular-nums">{option.hint}</bdi>}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="px-3 pt-1 pb-3 text-[13px] text-ink3">{empty}</p>}
    </div>
  )
}

function CheckBox({ isChecked }: { isChecked: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'flex size-3.5 shrink-0 items-center justify-center rounded-[3px] border',
        isChecked ? 'border-accent bg-accent text-bg' : 'border-line2',
      )}
    >
      {isChecked && <Check size={11} />}
    </span>
  )
}
