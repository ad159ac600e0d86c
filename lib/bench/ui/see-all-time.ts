import { ALL_TIME, SCOPE_COOKIE, writeKept } from '#components/scope/scope.ts'
import type { UserId } from '#lib/ids.ts'

/** Who has chosen no period: without it a page leads to this quarter's. */
export function seeAllTime<Person extends { cookie: string; user: { userId: UserId } }>(person: Person): Person {
  const kept = writeKept(person.user.userId, `period=${ALL_TIME}`)
  return { ...person, cookie: `${person.cookie}; ${SCOPE_COOKIE}=${kept}` }
}
