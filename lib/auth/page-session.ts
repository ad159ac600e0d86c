import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { settings } from '../env.ts'
import { cookieNames } from './cookies.ts'
import type { AppSession } from './model.ts'
import { readSessionKey } from './read-session.ts'
import { toSafePath } from './safe-path.ts'
import { findSession } from './sessions.ts'

/** The session of the page being rendered, or null; one look-up per request, however many components ask. */
export const readSession = cache(async (): Promise<AppSession | null> => {
  const key = await readSessionKey((await cookies()).get(cookieNames().session)?.value)
  return key === null ? null : findSession(key, new Date())
})

/**
 * The session of the page being rendered; without one, the browser is sent to the sign-in page and from there to `next`,
 * a path on our own origin (the overview when it is left out).
 */
export async function requirePageSession(next?: string): Promise<AppSession> {
  const session = await readSession()
  if (session !== null) return session
  const path = toSafePath(next, settings().appUrl)
  redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
}
