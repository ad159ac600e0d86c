/**
 * A browser in which somebody has signed in before. Its cookie opens nothing: it tells the throttle
 * that this is not the stranger who is guessing (sign-in-throttle.ts). One per account, so two
 * people may share a browser.
 */
import { timingSafeEqual } from 'node:crypto'
import { makeSecret } from '#lib/connections/secret-hash.ts'
import { cookieNames, toSetCookie } from '#lib/http/cookies.ts'
import { toThrottleHash } from '../limits/sign-in-throttle.ts'

const LIFETIME_MS = 180 * 86_400_000
/** Sent only with the sign-in form. */
const PATH = '/api/sign-in'
/** The most accounts checked per request, since a stranger may send any number of cookies. */
const MAX_ACCOUNTS = 8

/** This browser's id if our signed cookie says it has signed in to the account; else null. */
export function readKnownBrowser(cookies: Map<string, string>, account: string, now: Date): string | null {
  const cookie = cookies.get(toName(account))
  const read = cookie === undefined ? null : openCookie(cookie, now)
  return read?.account === account ? read.id : null
}

/** This browser's id when it is known to any account; null otherwise. */
export function readAnyKnownBrowser(cookies: Map<string, string>, now: Date): string | null {
  const prefix = `${cookieNames().knownBrowser}.`
  const ours = [...cookies].filter(([name]) => name.startsWith(prefix)).slice(0, MAX_ACCOUNTS)
  for (const [, cookie] of ours) {
    const read = openCookie(cookie, now)
    if (read !== null) return read.id
  }
  return null
}

/** The Set-Cookie value that makes this browser known for half a year; keeps a known id. */
export function rememberBrowser(account: string, known: string | null, now: Date): string {
  const content = `${account}.${known ?? makeSecret()}.${now.getTime() + LIFETIME_MS}`
  return toSetCookie(toName(account), `${content}.${toSeal(content)}`, PATH, LIFETIME_MS / 1000)
}

function openCookie(cookie: string, now: Date): { account: string; id: string } | null {
  const end = cookie.lastIndexOf('.')
  const [content, seal] = [cookie.slice(0, Math.max(0, end)), cookie.slice(end + 1)]
  const [account = '', id = '', until = ''] = content.split('.')
  const [actual, expected] = [Buffer.from(seal), Buffer.from(toSeal(content))]
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected)
  return isOurs && Number(until) > now.getTime() ? { account, id } : null
}

function toName(account: string): string {
  return `${cookieNames().knownBrowser}.${account.slice(0, 12)}`
}

function toSeal(content: string): string {
  return toThrottleHash('browser', content)
}
