'use client'

import { useSearchParams } from 'next/navigation'
import { LINE_PARAMETER, type LineKey, parseLineKey, writeLineKey } from './line-key.ts'

/**
 * The line whose panel is open: kept in the address without asking the server for the page again. Opening is a step that
 * Back undoes; going on to another line, and closing, are not steps of their own.
 */
export function useOpenLine(): { openKey: string | null; open: (line: LineKey) => void; close: () => void } {
  const text = useSearchParams().get(LINE_PARAMETER)
  const openKey = parseLineKey(text) === null ? null : text
  const change = (value: string | null, isStep: boolean) => {
    const address = new URL(window.location.href)
    if (value === null) address.searchParams.delete(LINE_PARAMETER)
    else address.searchParams.set(LINE_PARAMETER, value)
    window.history[isStep ? 'pushState' : 'replaceState'](null, '', address)
  }
  return {
    openKey,
    open: (line) => change(writeLineKey(line), openKey === null),
    close: () => change(null, false),
  }
}
