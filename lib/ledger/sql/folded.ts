/** What `foldText` makes of a text, in SQL: for texts that no record keeps folded. */
import { SPECIAL_LETTERS } from '../query/fold-text.ts'

/** Small and capital: the server's `lower` may know ASCII only. */
const LETTERS = Object.entries(SPECIAL_LETTERS).flatMap(([letter, plain]) => [
  [letter, plain],
  ...(letter.toUpperCase().length === 1 ? [[letter.toUpperCase(), plain]] : []),
]) as [letter: string, plain: string][]

/**
 * SQL for the text `expression` without case and accents, `ß` as `ss`. A text of ASCII, as most
 * are, costs a `lower`.
 */
export function toFolded(expression: string): string {
  const plain = `regexp_replace(normalize(${expression}, nfkd), '[\\u0300-\\u036f]', '', 'g')`
  const letters = [...LETTERS, ['\u1e9e', 'ss']].reduce(
    (sql, [letter, as]) => `replace(${sql}, '${letter}', '${as}')`,
    plain,
  )
  return `case when octet_length(${expression}) = char_length(${expression}) then lower(${expression}) else lower(${letters}) end`
}
