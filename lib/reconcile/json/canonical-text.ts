import { parseLossless } from './parse.ts'
import { type JsonValue, NumberText } from './value.ts'

/**
 * One text for one content: keys sorted, no white space, numbers as written. Concatenation, as
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
 * Whether two JSON texts say the same: keys in any order, any white space, numbers as written.
 * Throws JsonError.
 */
export function isSameContent(a: string, b: string): boolean {
  return a === b || toCanonicalText(parseLossless(a)) === toCanonicalText(parseLossless(b))
}
