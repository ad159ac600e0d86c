import { readBounded } from './read-bounded.ts'
import { isStorable } from './storable.ts'

/** A group of ten thousand members, written in full. */
const MAX_BODY_BYTES = 1024 * 1024

export type ScimBody =
  | { kind: 'read'; value: Record<string, unknown> }
  | { kind: 'refused'; status: 400 | 408 | 413 | 415; text: string }

/**
 * The body of a directory's request: one JSON object, bounded in size and time. Refuses text that
 * the database cannot hold: NUL, and halves of characters.
 */
export async function readScimBody(request: Request): Promise<ScimBody> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/scim+json' && type !== 'application/json')
    return { kind: 'refused', status: 415, text: 'Send application/scim+json.' }
  const body = await readBounded(request, MAX_BODY_BYTES)
  if (body.kind === 'refused') return body
  const value = parseObject(body.bytes.toString('utf8'))
  return value === null
    ? { kind: 'refused', status: 400, text: 'The body is not one JSON object of text.' }
    : { kind: 'read', value }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, (key, each) => {
      if (!isStorable(key) || (typeof each === 'string' && !isStorable(each))) throw new SyntaxError('not storable')
      return each
    })
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
