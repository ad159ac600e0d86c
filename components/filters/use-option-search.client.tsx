'use client'

import { useEffect, useMemo, useState } from 'react'
import type { FoundOption } from '#lib/ledger/model.ts'
import { type Choice, type ChoiceField, toFoundChoices } from './filter-fields.ts'

/** The choices of each filter by its key, and what to say in their place. */
type FoundChoices = { choices: Partial<Record<string, Choice[]>>; note: string | null }

const DELAY_MS = 120
const SEARCHING: FoundChoices = { choices: {}, note: 'Searching…' }

/** Choices that have what is typed, asked for while a person types; null asks for nothing. */
export function useOptionSearch(fields: readonly ChoiceField[], text: string | null): FoundChoices {
  const [found, setFound] = useState(SEARCHING)
  const keys = fields.map(({ key }) => key).join()
  // fields are made anew with each drawing, and are the same where their keys are
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const asked = useMemo(() => fields, [keys])
  useEffect(() => {
    if (text === null || asked.length === 0) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const params = new URLSearchParams([...asked.map(({ key }) => ['filter', key]), ['q', text]] as string[][])
        const answer = await fetch(`/api/filter-options?${params}`, { signal: controller.signal })
        if (!answer.ok) throw new Error(`answered ${answer.status}`)
        const options = (await answer.json()) as Partial<Record<string, FoundOption[]>>
        const choices = asked.map((field) => [field.key, toFoundChoices(field, options[field.key] ?? [], text)])
        setFound({ choices: Object.fromEntries(choices), note: null })
      } catch {
        if (!controller.signal.aborted)
          setFound({ choices: {}, note: 'These could not be searched. Type again to retry.' })
      }
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [asked, text])
  return found
}
