import { JsonError } from './json-error.ts'
import { parseLossless } from './parse.ts'
import { brokenAt, listElements, listMembers, skipSpace } from './scan.ts'
import type { JsonValue } from './value.ts'

/** The members around the list, and each element's source text, byte for byte. */
type SlicedBody = { envelope: Record<string, JsonValue>; records: string[] }

/**
 * Cuts the list `listKey` of a body into its elements' source texts without parsing them: one bad
 * record cannot spoil its neighbors.
 * @throws JsonError when the body is truncated, is not a JSON object, or has no such list.
 */
export function sliceRecords(text: string, listKey: string): SlicedBody {
  const start = skipSpace(text, 0)
  if (text.charCodeAt(start) !== 123) {
    throw start >= text.length ? brokenAt(text, start) : new JsonError('The body is not a JSON object')
  }
  const { spans, end } = listMembers(text, start)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw brokenAt(text, rest)
  const lists = spans.filter((span) => span.key === listKey)
  const [list] = lists
  if (!list || lists.length > 1 || text.charCodeAt(list.start) !== 91) {
    throw new JsonError(`The body has ${lists.length > 1 ? 'more than one' : 'no'} list "${listKey}"`)
  }
  const records = listElements(text, list.start).spans.map((span) => text.slice(span.start, span.end))
  const members = spans.filter((span) => span !== list)
  const envelope = Object.fromEntries(
    members.map((span) => [span.key, parseLossless(text.slice(span.start, span.end))]),
  )
  return { envelope, records }
}
