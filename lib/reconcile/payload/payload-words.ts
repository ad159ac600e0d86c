import { asObject, readJson, toServicePlace } from './service-place.ts'

/** What a line's own record says besides its fields; blank means unknown. */
export type PayloadWords = { place: string | null; approvers: string[]; customFields: string[] }

/**
 * Reads where a line's service takes place, who approved it and the customer's own fields, each as
 * `Project: P-210`, from its raw payload (contract, "metadata object"). Never throws. For words: a
 * figure of a custom field is there only when it is written as a text or a whole number.
 */
export function toPayloadWords(rawText: string): PayloadWords {
  const metadata = asObject(readJson(rawText)?.metadata)
  const listOf = (value: unknown) => (Array.isArray(value) ? value.map(asObject) : [])
  return {
    place: toServicePlace(rawText)?.text ?? null,
    approvers: listOf(metadata?.approvers).flatMap((person) => toWord(person?.name) ?? []),
    customFields: listOf(metadata?.custom_fields).flatMap((field) => {
      const [name, value] = [toWord(field?.name), toWord(field?.value)]
      return name === null || value === null ? [] : [`${name}: ${value}`]
    }),
  }
}

function toWord(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
