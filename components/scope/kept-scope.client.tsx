'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { toPreferenceCookie } from '#components/frame/preferences.ts'
import { SCOPE_COOKIE, writeKept } from './scope.ts'

let kept: string | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The scope that the person keeps; `first` is what the server knew of it. */
export function useKeptScope(first: string): string {
  return useSyncExternalStore(
    subscribe,
    () => kept ?? first,
    () => first,
  )
}

/** Keeps the scope of the page that is shown, for pages without one and for the next visit. */
export function KeepScope({ person, scope }: { person: string; scope: string }) {
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the other preferences; not every browser has a Cookie Store
    document.cookie = toPreferenceCookie(SCOPE_COOKIE, writeKept(person, scope))
    kept = scope
    for (const listener of listeners) listener()
  }, [person, scope])
  return null
}
