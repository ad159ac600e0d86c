import { PRIVATE_HEADERS } from './replies.ts'
import { SECURITY_HEADERS } from './security-headers.mjs'

/** The page loads nothing, and an answer of the door (sign-in-door.ts) has only these headers. */
const HEADERS = {
  ...SECURITY_HEADERS,
  ...PRIVATE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** An answer that both Node and `Response` accept. */
export type PlainReply = { status: number; headers: Record<string, string>; body: string }

/**
 * 429 (RFC 6585, 4) for programs; for people, a page that moves on to the form, which says how long
 * to wait. A redirect could not be both. The page has no script or style, and only a number and a
 * safe path vary. `form` is the page that the person comes from.
 */
export function toWaitReply(seconds: number, next: string, form = '/sign-in'): PlainReply {
  const query = new URLSearchParams({ error: 'wait', seconds: String(seconds), ...(next === '/' ? {} : { next }) })
  const path = `${form}?${query}`.replaceAll('&', '&amp;')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Please wait</title>
<meta http-equiv="refresh" content="0; url=${path}"></head>
<body><p>${toWaitText(seconds)} <a href="${path}">Back to signing in</a></p></body></html>`
  return { status: 429, headers: { ...HEADERS, 'retry-after': String(seconds) }, body }
}

/**
 * What a form says to a person who must wait. `seconds` comes from the address, unchecked;
 * `attempts` is what there were too many of.
 */
export function toWaitText(seconds: unknown, attempts = 'attempts to sign in'): string {
  const known = /^[1-9]\d{0,3}$/.exec(String(seconds))?.[0]
  const time = known === undefined ? 'a moment' : toTimeText(Number(known))
  return `There were too many ${attempts}. Please wait ${time} and try again.`
}

function toTimeText(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? 'one second' : `${seconds} seconds`
}

/** 429 for a page, which the browser asks for again by itself when the time is over. */
export function toTooManyReply(seconds: number): PlainReply {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Please wait</title></head>
<body><p>${toTooManyText(seconds)} This page then loads by itself.</p></body></html>`
  const wait = { 'retry-after': String(seconds), refresh: String(seconds) }
  return { status: 429, headers: { ...HEADERS, ...wait }, body }
}

/** What a person reads who has sent more than the budget of lib/auth/limits/request-kinds.ts. */
export function toTooManyText(seconds: number): string {
  return `There were too many requests from your account or network. Please wait ${toTimeText(seconds)}.`
}
