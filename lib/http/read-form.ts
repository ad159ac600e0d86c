import { readBounded } from './read-bounded.ts'

/** The largest form or JSON body that we accept. */
const MAX_BODY_BYTES = 64 * 1024

export type RequestBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; value: Record<string, string> }
  | { kind: 'refused'; status: 400 | 408 | 413 | 415; text: string }

/**
 * Reads the body of a request that changes something: JSON or a plain form, bounded in size and
 * time. Refuses a field sent twice rather than guess (reliability A19), and text/plain and
 * multipart forms (A11).
 */
export async function readBody(request: Request): Promise<RequestBody> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const isJson = type === 'application/json'
  if (!isJson && type !== 'application/x-www-form-urlencoded')
    return { kind: 'refused', status: 415, text: 'Send JSON or a form.' }
  const body = await readBounded(request, MAX_BODY_BYTES)
  if (body.kind === 'refused') return body
  const text = body.bytes.toString('utf8')
  if (!isJson) return readFields(new URLSearchParams(text))
  try {
    return { kind: 'json', value: text === '' ? {} : JSON.parse(text) }
  } catch {
    return { kind: 'refused', status: 400, text: 'The body is not JSON.' }
  }
}

function readFields(fields: URLSearchParams): RequestBody {
  const value: Record<string, string> = Object.create(null)
  for (const [name, text] of fields) {
    if (name in value) return { kind: 'refused', status: 400, text: 'A field was sent twice.' }
    value[name] = text
  }
  return { kind: 'form', value }
}
