import { cookies } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '#lib/http/cookies.ts'
import { rememberPerson } from '../limits/request-budget.ts'
import type { AppSession } from '../model.ts'
import { findSession } from '../sessions.ts'
import { readSessionKey } from './read-session.ts'

/** The session of the page being rendered, or null; one look-up per request. */
export const readSession = cache(async (): Promise<AppSession | null> => {
  const cookie = (await cookies()).get(cookieNames().session)?.value
  const key = await readSessionKey(cookie)
  const session = key === null ? null : await findSession(key, new Date())
  if (cookie !== undefined && session !== null) rememberPerson(cookie, session.userId)
  return session
})

/** Whether the browser had a session that is over: somebody who signs out keeps no cookie. */
export async function hasEndedSession(): Promise<boolean> {
  const cookie = (await cookies()).get(cookieNames().session)?.value
  return cookie !== undefined && (await readSessionKey(cookie)) !== null && (await readSession()) === null
}
