import { toNotice } from '#components/account/account-words.ts'
import { SecondStepsOfPeople } from '#components/account/second-steps-of-people.tsx'
import { isFreshSession } from '#lib/auth/factors/fresh-session.ts'
import { listFactors, readFactors } from '#lib/auth/factors/read-factors.ts'
import type { AppSession } from '#lib/auth/model.ts'

type Parts = Record<string, string | string[] | undefined>

/** For admins: whose second step may be removed. */
export async function FactorsOfPeople({ session, searchParams }: { session: AppSession; searchParams: Parts }) {
  const [people, { hasPassword }, isFresh] = await Promise.all([
    listFactors(session.organizationId),
    readFactors(session),
    isFreshSession(session, new Date()),
  ])
  return (
    <SecondStepsOfPeople people={people} hasPassword={hasPassword} isFresh={isFresh} notice={toNotice(searchParams)} />
  )
}
