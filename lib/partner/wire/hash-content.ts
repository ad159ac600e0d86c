import { hashText } from '#lib/hash-text.ts'
import { toCanonicalText } from '#lib/reconcile/json/canonical-text.ts'
import type { JsonValue } from '#lib/reconcile/json/value.ts'

/** The SHA-256 (hex) of a value's canonical text: the same for any key order and white space. */
export function hashContent(value: JsonValue): string {
  return hashText(toCanonicalText(value))
}
