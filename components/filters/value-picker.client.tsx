'use client'

import { useState } from 'react'
import { type ChoiceField, type FilterOptions, isSearched, toChoices, toValueLabel } from './filter-fields.ts'
import { markLookAlikes } from './look-alike-marks.ts'
import { OptionList } from './option-list.client.tsx'
import { useOptionSearch } from './use-option-search.client.tsx'

type ValuePickerProps = {
  field: ChoiceField
  chosen: string[]
  options: FilterOptions
  onChange: (values: string[]) => void
  onBack?: () => void
}

/** Chooses one filter's values; each choice applies at once. */
export function ValuePicker({ field, chosen, options, onChange, onBack }: ValuePickerProps) {
  const [text, setText] = useState('')
  const { label } = field
  const isAsked = isSearched(field, options)
  const found = useOptionSearch([field], isAsked ? text : null)
  const known = isAsked ? (found.choices[field.key] ?? []) : toChoices(field, options)
  const wanted = text.trim().toLowerCase()
  const isKnown = new Set(known.map((choice) => choice.value))
  const choices = [
    ...chosen
      .filter((value) => !isKnown.has(value))
      .map((value) => ({ value, label: toValueLabel(field, value, options) })),
    ...known,
  ].filter((choice) => isAsked || `${choice.label} ${choice.value}`.toLowerCase().includes(wanted))
  const marks = markLookAlikes(choices)

  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])

  return (
    <OptionList
      label={label}
      placeholder={isAsked ? `${label} by name${field.key === 'trips' ? ' or id' : ''}` : `${label}…`}
      text={text}
      onText={setText}
      onBack={onBack}
      empty={found.note ?? 'No matches'}
      options={choices.map((choice) => ({
        key: choice.value,
        label: choice.label,
        hint: field.key === 'trips' && choice.label !== choice.value ? choice.value : undefined,
        note: marks.get(choice),
        isChecked: chosen.includes(choice.value),
        choose: () => toggle(choice.value),
      }))}
    />
  )
}
