import { settings } from '#lib/env.ts'

/** The platform redirects browsers here; the cookies of connecting go nowhere else. */
export const CALLBACK_PATH = '/api/auth/callback/partner'

/** True when browsers reach us by https:; then cookies must not travel any other way. */
export function isSecureOrigin(): boolean {
  return settings().appUrl.startsWith('https:')
}

type CookieUse =
  | 'session'
  | 'knownBrowser'
  | 'intent'
  | 'connectState'
  /** A sign-in that waits for its second step. */
  | 'secondStep'
  /** The browser that a challenge of signing in was made for. */
  | 'passkey'
  /** New recovery codes, sealed, until the person has kept them. */
  | 'recoveryCodes'

/** Our cookies. The prefixes make browsers refuse a weaker one of the name (RFC 6265bis). */
export function cookieNames(): Record<CookieUse, string> {
  const isSecure = isSecureOrigin()
  return {
    session: `${isSecure ? '__Host-' : ''}tieout.session`,
    knownBrowser: `${isSecure ? '__Secure-' : ''}tieout.browser`,
    intent: `${isSecure ? '__Secure-' : ''}tieout.connect.intent`,
    connectState: `${isSecure ? '__Secure-' : ''}tieout.connect.state`,
    secondStep: `${isSecure ? '__Host-' : ''}tieout.second-step`,
    passkey: `${isSecure ? '__Secure-' : ''}tieout.passkey`,
    recoveryCodes: `${isSecure ? '__Secure-' : ''}tieout.recovery-codes`,
  }
}

/** Reads a Cookie header. The first of a name counts: browsers send the most specific first. */
export function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, decode(pair.slice(at + 1).trim()))
  }
  return cookies
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // not percent-encoded, so not ours: no secret will match it
    return value
  }
}

/** A Set-Cookie value: HttpOnly, Lax, Secure on https:. `maxAgeSeconds` 0 removes the cookie. */
export function toSetCookie(name: string, value: string, path: string, maxAgeSeconds: number): string {
  const secure = isSecureOrigin() ? '; Secure' : ''
  return `${name}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}
