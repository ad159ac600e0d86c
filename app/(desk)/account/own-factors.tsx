import { cookies } from 'next/headers'
import { toNotice } from '#components/account/account-words.ts'
import { Passkeys } from '#components/account/passkeys.tsx'
import { SecondStep } from '#components/account/second-step.tsx'
import { findEnrolment } from '#lib/auth/factors/authenticator.ts'
import { isFreshSession } from '#lib/auth/factors/fresh-session.ts'
import { hasPasskeys, listPasskeys } from '#lib/auth/factors/passkeys.ts'
import { readFactors } from '#lib/auth/factors/read-factors.ts'
import { openRecoveryCodes } from '#lib/auth/factors/recovery-codes.ts'
import { toBase32, toTotpAddress } from '#lib/auth/factors/totp.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { dayOf } from '#lib/reconcile/day.ts'

type Parts = Record<string, string | string[] | undefined>

/** The two sections of the own second step and passkeys, with what a form has just answered. */
export async function OwnFactors({ session, searchParams }: { session: AppSession; searchParams: Parts }) {
  const now = new Date()
  const [factors, passkeys, isFresh, store] = await Promise.all([
    readFactors(session),
    listPasskeys(session),
    isFreshSession(session, now),
    cookies(),
  ])
  const secret = isFresh ? await findEnrolment(session, now) : null
  const notice = toNotice(searchParams)
  const isOfPasskeys = /^passkey/.test(`${searchParams.said ?? searchParams.error}`)
  const view = {
    ...factors,
    since: factors.since === null ? null : dayOf(factors.since.getTime()),
    isFresh,
    enrolment: secret === null ? null : { address: toTotpAddress(secret, session.email), secret: toBase32(secret) },
    newCodes: openRecoveryCodes(session, store.get(cookieNames().recoveryCodes)?.value),
  }
  return (
    <>
      <SecondStep view={view} notice={isOfPasskeys ? null : notice} />
      {hasPasskeys() && (
        <Passkeys
          passkeys={passkeys.map(({ credentialId, name, createdAt, lastUsedAt }) => ({
            id: credentialId,
            name,
            added: dayOf(createdAt.getTime()),
            lastUsed: lastUsedAt === null ? null : dayOf(lastUsedAt.getTime()),
          }))}
          hasPassword={factors.hasPassword}
          isFresh={isFresh}
          notice={isOfPasskeys ? notice : null}
        />
      )}
    </>
  )
}
