/** Texts that people know records by, and what they type of them. */
import { foldText } from '../query/fold-text.ts'
import { readText } from '../query/search-params.ts'
import { splitSearch } from '../query/search-words.ts'
import { toFolded } from '../sql/folded.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'

/** What is typed, as one text of a length that is searched. */
export const readTyped = (typed: string) => readText({ q: typed.replaceAll('\0', '').slice(0, 200) }, 'q')

/** The words of what is typed. */
export const toNameParts = (text: string) => splitSearch(text).flatMap(({ parts }) => parts)

/**
 * SQL: each word is in one of these texts, without case and accents; null if nothing is typed.
 * `names` are SQL expressions.
 */
export function toNameCondition(text: string, names: readonly string[], parameters: SqlParameters): string | null {
  const parts = toNameParts(text)
  const has = (part: string) =>
    names.map((name) => `position(${parameters.add(foldText(part))} in ${toFolded(name)}) > 0`)
  return parts.length === 0 ? null : parts.map((part) => `(${has(part).join(' or ')})`).join(' and ')
}
