import { decode } from 'next-auth/jwt'
import { requireSetting } from '#lib/env.ts'
import { cookieNames, parseCookies } from '#lib/http/cookies.ts'
import type { AppSession } from './model.ts'
import { findSession, type SessionKey } from './sessions.ts'

/** The session of a request, looked up in the database each time, or null. */
export async function readRequestSession(request: Request, now: Date): Promise<AppSession | null> {
  const key = await readSessionKey(parseCookies(request.headers.get('cookie')).get(cookieNames().session))
  return key === null ? null : findSession(key, now)
}

/** What a session cookie says, or null when it is not ours. The session may have ended. */
export async function readSessionKey(cookie: string | undefined): Promise<SessionKey | null> {
  if (cookie === undefined) return null
  const content = await decodeCookie(cookie)
  const { org, sid } = content ?? {}
  return typeof org === 'string' && typeof sid === 'string' ? { organizationId: org, secret: sid } : null
}

async function decodeCookie(token: string) {
  const secret = requireSetting('sessionSecret').reveal()
  try {
    return await decode({ token, secret })
  } catch {
    // forged, damaged, too old, or from another secret: it signs nobody in
    return null
  }
}
