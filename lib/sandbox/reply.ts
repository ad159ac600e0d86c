import { type JsonValue, toJson } from './data/wire/json.ts'

/** A route's answer; faults may still change it. */
export type Reply = {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

/** The request with its body already read. */
export type SandboxRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: string
}

export function jsonReply(status: number, value: JsonValue, contentType = 'application/json'): Reply {
  return { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body: toJson(value) }
}

export function htmlReply(status: number, html: string): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  }
  return { status, headers, body: html }
}

export function redirectReply(status: 301 | 302, location: string): Reply {
  return { status, headers: { location, 'content-length': '0', 'cache-control': 'no-store' }, body: '' }
}

/** A plain data-API error: `{"message": ...}`. */
export function errorReply(status: number, message: string): Reply {
  return jsonReply(status, { message })
}
