import { decode } from 'next-auth/jwt'
import { type BoundedMap, createBoundedMap } from '#lib/bounded-map.ts'
import { requireSetting } from '#lib/env.ts'
import { hashText } from '#lib/hash-text.ts'
import { cookieNames, parseCookies } from '#lib/http/cookies.ts'
import { processWide } from '#lib/process-wide.ts'
import type { AppSession } from '../model.ts'
import { findSession, type SessionKey } from '../sessions.ts'

/** The session of a request, looked up in the database each time, or null. */
export async function readRequestSession(request: Request, now: Date): Promise<AppSession | null> {
  const key = await readSessionKey(parseCookies(request.headers.get('cookie')).get(cookieNames().session))
  return key === null ? null : findSession(key, now)
}

/** About 5 MB. A cookie that is forgotten is opened once more. */
const MOST_OPENED = 10_000

/** What a cookie says, and until when, in seconds since 1970. */
type Opened = { key: SessionKey; until: number }

/**
 * What a session cookie says, or null when it is not ours. The session may have ended: that is
 * looked up each time, while one cookie always says the same and is opened once.
 */
export async function readSessionKey(cookie: string | undefined): Promise<SessionKey | null> {
  if (cookie === undefined) return null
  const opened = processWide<BoundedMap<Opened>>('tieoutOpenedCookies', () => createBoundedMap(MOST_OPENED))
  const name = hashText(cookie)
  const known = opened.get(name)
  if (known !== undefined && Date.now() < known.until * 1000) return known.key
  const content = await decodeCookie(cookie)
  const { org, sid, exp } = content ?? {}
  if (typeof org !== 'string' || typeof sid !== 'string') return null
  const key = { organizationId: org, secret: sid }
  if (typeof exp === 'number') opened.set(name, { key, until: exp })
  return key
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
