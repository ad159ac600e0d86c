import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import { isJsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'

const MAX_DESCRIPTION = 300
const MAX_EVIDENCE = 2048
/** The patterns below may take quadratic time; at this length that is negligible. */
const MAX_MASKED = 4096
const WORDS = ['message', 'detail', 'error_description', 'error']

/**
 * An error body's words for people: the first of `message`, `detail`, `error_description`, `error`,
 * else a map of fields, else the raw text (assumption 9). One line without control characters, at
 * most 300 characters, secrets masked (`secret`: a known one); null for an empty body.
 */
export function describeErrorBody(body: Buffer | string, secret = ''): string | null {
  const said = body.toString().slice(0, 64 * 1024)
  const text = secret === '' ? said : said.replaceAll(secret, '[masked]')
  // some error bodies are not JSON; their text is the description
  const value = parseOrNull(text)
  const words = value === null ? null : findWords(value)
  const line = toOneLine(maskSecrets((words ?? stripMarkup(text.slice(0, MAX_MASKED))).slice(0, MAX_MASKED)))
  return line === '' ? null : line.slice(0, MAX_DESCRIPTION)
}

function findWords(value: JsonValue, depth = 0): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (depth > 3) return null
  if (Array.isArray(value)) return joinWords(value.map((entry) => findWords(entry, depth + 1)))
  if (!isJsonObject(value)) return null
  for (const key of WORDS) {
    const words = findWords(value[key] ?? null, depth + 1)
    if (words !== null) return words
  }
  return joinWords(
    Object.entries(value).map(([field, entry]) => {
      const words = findWords(entry, depth + 1)
      return words === null ? null : `${field}: ${words}`
    }),
  )
}

function joinWords(parts: (string | null)[]): string | null {
  const found = parts.filter((part) => part !== null).slice(0, 10)
  return found.length === 0 ? null : found.join('; ')
}

function stripMarkup(text: string): string {
  return /^\s*</.test(text) ? text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ') : text
}

function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The beginning of an answer (2 kB), safe to store and show: secrets masked, control characters
 * removed. `secret`, such as the call's token, is masked wherever the partner repeats it.
 */
export function toEvidence(body: Buffer | string, secret = ''): string {
  const text = typeof body === 'string' ? body.slice(0, MAX_MASKED) : body.toString('utf8', 0, MAX_MASKED)
  return maskSecrets(secret === '' ? text : text.replaceAll(secret, '[masked]'))
    .replace(/[^\P{Cc}\n\t]|\p{Surrogate}/gu, ' ')
    .slice(0, MAX_EVIDENCE)
}

/**
 * Masks what looks like a credential: bearer values, members with a telling name, signed addresses,
 * JWTs.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/\b(bearer|apikey|basic)\s+[^\s"',<]+/gi, '$1 [masked]')
    .replace(
      /("[^"]*(?:token|secret|password|authorization|api_?key|pdf)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi,
      '$1"[masked]"',
    )
    .replace(/\b((?:access_|refresh_)?token|client_secret|code|password|signature)=[^\s&"'<]+/gi, '$1=[masked]')
    .replace(/(https?:\/\/[^\s"'<?]+)\?[^\s"'<]+/gi, '$1?[masked]')
    .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*/g, '[masked]')
}
