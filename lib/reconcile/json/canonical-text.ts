import { parseLossless } from './parse.ts'
import { type JsonValue, NumberText } from './value.ts'

/**
 * One text per content: keys sorted, no white space, numbers as written. Concatenates for speed:
 * every line pays for it.
 */
export function toCanonicalText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value)
  if (value instanceof NumberText) return value.numberText
  if (typeof value !== 'object' || value === null) return String(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += (text === '' ? '' : ',') + toCanonicalText(element)
    return `[${text}]`
  }
  for (const key of Object.keys(value).sort()) {
    text += `${text === '' ? '' : ','}${quote(key)}:${toCanonicalText(value[key] ?? null)}`
  }
  return `{${text}}`
}

/** Most texts hold nothing to escape. */
function quote(text: string): string {
  return /["\\\p{Cc}\p{Surrogate}]/u.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Whether two JSON texts have the same content: keys in any order, any white space, numbers as
 * written.
 * @throws JsonError
 */
export function isSameContent(a: string, b: string): boolean {
  return a === b || toCanonicalText(parseLossless(a)) === toCanonicalText(parseLossless(b))
}
