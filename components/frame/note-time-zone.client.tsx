'use client'

import { useEffect } from 'react'
import { TIME_ZONE_COOKIE } from '#lib/reconcile/formats.ts'
import { toPreferenceCookie } from './preferences.ts'

/**
 * Tells the server the browser's time zone, which no header does: the page to sign in has done so
 * before the first page of the desk.
 */
export function NoteTimeZone({ known }: { known: string | null }) {
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    if (timeZone !== known) document.cookie = toPreferenceCookie(TIME_ZONE_COOKIE, timeZone)
  }, [known])
  return null
}
