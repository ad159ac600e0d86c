import { settings } from '#lib/env.ts'

/** The platform redirects browsers here; the cookies of connecting go nowhere else. */
export const CALLBACK_PATH = '/api/auth/callback/partner'
/** An identity provider redirects browsers here; the cookies of single sign-on go nowhere else. */
export const SSO_CALLBACK_PATH = '/api/auth/callback/sso'

/** True when browsers reach us by https:; then cookies must not travel any other way. */
export function isSecureOrigin(): boolean {
  return settings().appUrl.startsWith('https:')
}

/** Our cookies. The prefixes make browsers refuse a weaker one of the name (RFC 6265bis). */
export function cookieNames() {
  const isSecure = isSecureOrigin()
  const prefix = isSecure ? '__Secure-' : ''
  return {
    session: `${isSecure ? '__Host-' : ''}tieout.session`,
    knownBrowser: `${prefix}tieout.browser`,
    intent: `${prefix}tieout.connect.intent`,
    connectState: `${prefix}tieout.connect.state`,
    /** One attempt at single sign-on: ours, and next-auth's three. */
    sso: {
      attempt: `${prefix}tieout.sso.attempt`,
      state: `${prefix}tieout.sso.state`,
      nonce: `${prefix}tieout.sso.nonce`,
      verifier: `${prefix}tieout.sso.verifier`,
    },
    /** What was typed as the email of a sign-in that did not succeed. */
    enteredEmail: `${prefix}tieout.email`,
    invitation: `${prefix}tieout.invitation`,
    /** A sign-in that waits for its second step. */
    secondStep: `${isSecure ? '__Host-' : ''}tieout.second-step`,
    /** The browser that a challenge of signing in was made for. */
    passkey: `${prefix}tieout.passkey`,
    /** New recovery codes, sealed, until the person has kept them. */
    recoveryCodes: `${prefix}tieout.recovery-codes`,
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
