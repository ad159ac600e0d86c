import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '#lib/http/cookies.ts'
import { settleFormats, TIME_ZONE_COOKIE } from '#lib/reconcile/formats.ts'
import { type BrowserFormats, NO_CHOICE, resolveFormats } from '#lib/reconcile/own-formats/format-choices.ts'
import { rememberPerson } from '../limits/request-budget.ts'
import type { AppSession } from '../model.ts'
import { findSession } from '../sessions.ts'
import { toBrowserFormats } from './browser-formats.ts'
import { readSessionKey } from './read-session.ts'

/**
 * The session of the page being rendered, or null; one look-up per request. From then on the page
 * is written in the person's formats.
 */
export const readSession = cache(async (): Promise<AppSession | null> => {
  const cookie = (await cookies()).get(cookieNames().session)?.value
  const key = await readSessionKey(cookie)
  const session = key === null ? null : await findSession(key, new Date())
  if (cookie !== undefined && session !== null) rememberPerson(cookie, session.userId)
  const { ownFormats, organizationFormats } = session ?? { ownFormats: NO_CHOICE, organizationFormats: NO_CHOICE }
  settleFormats(resolveFormats(ownFormats, organizationFormats, await readBrowserFormats()))
  return session
})

/** What the browser of the page being rendered says of its person's formats. */
export async function readBrowserFormats(): Promise<BrowserFormats> {
  const [head, store] = await Promise.all([headers(), cookies()])
  return toBrowserFormats(head.get('accept-language'), store.get(TIME_ZONE_COOKIE)?.value)
}

/** Whether the browser had a session that is over: somebody who signs out keeps no cookie. */
export async function hasEndedSession(): Promise<boolean> {
  const cookie = (await cookies()).get(cookieNames().session)?.value
  return cookie !== undefined && (await readSessionKey(cookie)) !== null && (await readSession()) === null
}
