import { isJsonObject, type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'

const MOST_CHARACTERS = 120
/** A member name chosen by a program, as opposed to a key that is data. */
const NAME = /^[A-Za-z_][\w-]{0,60}$/

/**
 * A value's form without its content, at most 120 characters: letters become x, digits 9. JSON
 * words, punctuation and member names stay: `{"code":"A1","since":"2026-03-04"}` becomes
 * `{"code":"X9","since":"9999-99-99"}`.
 */
export function maskValue(value: JsonValue): string {
  const text = write(value, 0)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text
}

/**
 * A key as a step of a path: kept if it looks like a name, else masked, as it may be personal data.
 */
export function toPathStep(key: string): string {
  return NAME.test(key) ? key : JSON.stringify(maskText(key.slice(0, 60)))
}

function write(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(maskText(value.slice(0, MOST_CHARACTERS)))
  if (value instanceof NumberText) return maskText(value.numberText)
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth === 3) return '…'
  if (Array.isArray(value)) {
    const shown = value.slice(0, 2).map((element) => write(element, depth + 1))
    return `[${[...shown, ...(value.length > 2 ? ['…'] : [])].join(',')}]`
  }
  if (!isJsonObject(value)) return ''
  return `{${Object.keys(value)
    .slice(0, 12)
    .map((key) => `${toPathStep(key).replace(/^[^"].*$/s, '"$&"')}:${write(value[key] ?? null, depth + 1)}`)
    .join(',')}}`
}

function maskText(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{N}/gu, '9')
    .replace(/[^\p{Lu}9\s\p{P}\p{S}]/gu, 'x')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
}
