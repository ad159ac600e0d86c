'use client'

import { useEffect, useState } from 'react'
import type { TripOption } from '#lib/ledger/model.ts'
import { type Choice, type ChoiceField, type FilterOptions, toChoices, toValueLabel } from './filter-fields.ts'
import { OptionList } from './option-list.client.tsx'

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
  const isSearched = field.choices === 'searched'
  const trips = useTripSearch(isSearched ? text : null, field.unknown ?? '')
  const known = isSearched ? trips.choices : toChoices(field, options)
  const wanted = text.trim().toLowerCase()
  const isKnown = new Set(known.map((choice) => choice.value))
  const choices = [
    ...chosen
      .filter((value) => !isKnown.has(value))
      .map((value) => ({ value, label: toValueLabel(field, value, options) })),
    ...known,
  ].filter((choice) => isSearched || `${choice.label} ${choice.value}`.toLowerCase().includes(wanted))

  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])

  return (
    <OptionList
      label={label}
      placeholder={isSearched ? 'Trip name or id' : `${label}…`}
      text={text}
      onText={setText}
      onBack={onBack}
      empty={trips.note ?? 'No matches'}
      options={choices.map((choice) => ({
        key: choice.value,
        label: choice.label,
        hint: isSearched && choice.label !== choice.value ? choice.value : undefined,
        isChecked: chosen.includes(choice.value),
        choose: () => toggle(choice.value),
      }))}
    />
  )
}

type TripSearch = { choices: Choice[]; note: string | null }

/**
 * Trips whose id or name contains the text, searched while the user types; null searches nothing.
 */
function useTripSearch(text: string | null, unknown: string): TripSearch {
  const [found, setFound] = useState<TripSearch>({ choices: [], note: 'Searching…' })
  useEffect(() => {
    if (text === null) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const answer = await fetch(`/api/trips?q=${encodeURIComponent(text)}`, { signal: controller.signal })
        if (!answer.ok) throw new Error(`answered ${answer.status}`)
        const trips = (await answer.json()) as TripOption[]
        const choices = trips.map(({ tripId, tripName }) => ({ value: tripId, label: tripName ?? tripId }))
        if (text.trim() === '') choices.unshift({ value: '', label: unknown })
        setFound({ choices, note: 'No such trip' })
      } catch {
        if (!controller.signal.aborted)
          setFound({ choices: [], note: 'Trips could not be searched. Type again to retry.' })
      }
    }, 120)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, unknown])
  return found
}
