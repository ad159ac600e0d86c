import { hashText } from '#lib/hash-text.ts'
import { toCanonicalText } from '#lib/reconcile/json/canonical-text.ts'
import type { JsonValue } from '#lib/reconcile/json/value.ts'

/**
 * The sha256 of a value's canonical text, in hex: the same for any order of keys and any white
 * space.
 */
export function hashContent(value: JsonValue): string {
  return hashText(toCanonicalText(value))
}
