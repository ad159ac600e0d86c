import { cookies } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '#lib/http/cookies.ts'
import type { AppSession } from './model.ts'
import { readSessionKey } from './read-session.ts'
import { findSession } from './sessions.ts'

/** The session of the page being rendered, or null; one look-up per request. */
export const readSession = cache(async (): Promise<AppSession | null> => {
  const key = await readSessionKey((await cookies()).get(cookieNames().session)?.value)
  return key === null ? null : findSession(key, new Date())
})
