import { asObject, readJson, toServicePlace } from './service-place.ts'

/** What a line's own record says besides its fields; blank means unknown. */
export type PayloadWords = { place: string | null; approvers: string[] }

/**
 * Reads where a line's service takes place and who approved it from its raw payload (contract,
 * "metadata object"). Never throws. For words, never for figures.
 */
export function toPayloadWords(rawText: string): PayloadWords {
  const metadata = asObject(readJson(rawText)?.metadata)
  const listOf = (value: unknown) => (Array.isArray(value) ? value.map(asObject) : [])
  return {
    place: toServicePlace(rawText)?.text ?? null,
    approvers: listOf(metadata?.approvers).flatMap((person) => toWord(person?.name) ?? []),
  }
}

function toWord(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
