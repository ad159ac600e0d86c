import { toNotice } from '#components/account/account-words.ts'
import { SecondStepRule } from '#components/account/second-step-rule.tsx'
import { isFreshSession } from '#lib/auth/factors/fresh-session.ts'
import { readFactors } from '#lib/auth/factors/read-factors.ts'
import { isSecondStepRequired } from '#lib/auth/factors/second-step-rule.ts'
import type { AppSession } from '#lib/auth/model.ts'

type Parts = Record<string, string | string[] | undefined>

/** Whether the organization asks everybody for a second step. */
export async function FactorRule({ session, searchParams }: { session: AppSession; searchParams: Parts }) {
  const [isRequired, { hasPassword }, isFresh] = await Promise.all([
    isSecondStepRequired(session.organizationId),
    readFactors(session),
    isFreshSession(session, new Date()),
  ])
  return (
    <SecondStepRule
      isRequired={isRequired}
      hasPassword={hasPassword}
      isFresh={isFresh}
      notice={toNotice(searchParams)}
    />
  )
}
