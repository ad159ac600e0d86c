/**
 * One attempt at single sign-on, kept sealed in the browser that made it: a flood of attempts
 * writes no row. What comes back is noted, so that it counts once.
 */
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { withTenant } from '#lib/db/tenant.ts'
import { cookieNames, SSO_CALLBACK_PATH, toSetCookie } from '#lib/http/cookies.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { openBytes, sealBytes } from '../seal.ts'
import { ATTEMPT_LIFETIME_MS } from './sso-options.ts'

export type SsoAttempt = {
  organizationId: OrganizationId
  issuer: string
  clientId: string
  /** SHA-256 of the state that was sent to the provider. */
  stateHash: string
  /** The path to go to afterwards. */
  next: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

const SEAL = { purpose: 'sign-on attempt', of: 'browser' } as const

/** The Set-Cookie value that keeps an attempt for ten minutes. */
export function keepAttempt(attempt: Omit<SsoAttempt, 'stateHash' | 'expiresAt'>, state: string, now: Date): string {
  const whole = { ...attempt, stateHash: hashSecret(state), expiresAt: now.getTime() + ATTEMPT_LIFETIME_MS }
  const sealed = sealBytes(Buffer.from(JSON.stringify(whole)), SEAL)
  return toSetCookie(cookieNames().sso.attempt, sealed, SSO_CALLBACK_PATH, ATTEMPT_LIFETIME_MS / 1000)
}

/** The attempt of a browser's cookie, while it lasts; null for anything else. */
export function readAttempt(cookies: Map<string, string>, now: Date): SsoAttempt | null {
  const text = openBytes(cookies.get(cookieNames().sso.attempt) ?? '', SEAL)?.toString() ?? null
  const attempt = text === null ? null : (JSON.parse(text) as SsoAttempt)
  return attempt !== null && attempt.expiresAt > now.getTime() ? attempt : null
}

/** Spends an attempt: true for exactly one caller. Forgets those that have expired. */
export function spendAttempt({ organizationId, stateHash, expiresAt }: SsoAttempt, now: Date): Promise<boolean> {
  return withTenant(organizationId, async (records) => {
    await records.singleSignOnAnswer.deleteMany({ where: { organizationId, expiresAt: { lt: now } } })
    const spent = await records.singleSignOnAnswer.createMany({
      data: { organizationId, stateHash, expiresAt: new Date(expiresAt) },
      skipDuplicates: true,
    })
    return spent.count === 1
  })
}
