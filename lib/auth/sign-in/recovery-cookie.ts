import { cookieNames, toSetCookie } from '#lib/http/cookies.ts'
import type { Person } from '../factors/person.ts'
import { sealRecoveryCodes } from '../factors/recovery-codes.ts'

const SHOWN_SECONDS = 600

/**
 * New recovery codes on their way to the page that shows them: sealed, for ten minutes, in this
 * browser only; the database has only their hashes. None removes the cookie.
 */
export function toRecoveryCookie(person: Person, codes: string[]): string {
  const value = codes.length === 0 ? '' : sealRecoveryCodes(person, codes)
  return toSetCookie(cookieNames().recoveryCodes, value, '/account', codes.length === 0 ? 0 : SHOWN_SECONDS)
}
