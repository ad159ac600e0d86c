'use client'

import { useAsked } from '#components/query/use-asked.client.tsx'
import type { FoundOption } from '#lib/ledger/model.ts'
import { type Choice, type ChoiceField, toFoundChoices } from './filter-fields.ts'

/** The choices of each filter by its key, and what to say in their place. */
type FoundChoices = { choices: Partial<Record<string, Choice[]>>; note: string | null }

/** Choices that have what is typed, asked for while a person types; null asks for nothing. */
export function useOptionSearch(fields: readonly ChoiceField[], text: string | null): FoundChoices {
  const isAsked = text !== null && fields.length > 0
  const params = isAsked && new URLSearchParams([...fields.map(({ key }) => ['filter', key]), ['q', text]])
  const { answer, note } = useAsked(params ? `/api/filter-options?${params}` : null, (body) => {
    const options = body as Partial<Record<string, FoundOption[]>>
    return Object.fromEntries(
      fields.map((field) => [field.key, toFoundChoices(field, options[field.key] ?? [], text ?? '')]),
    )
  })
  return { choices: answer ?? {}, note }
}
