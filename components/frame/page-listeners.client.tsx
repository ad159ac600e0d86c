'use client'

import { useEffect } from 'react'
import type { toCopied } from '#components/text/to-copied.ts'
import { TOLD_LINKS_COOKIE, toPreferenceCookie } from './preferences.ts'

/**
 * What the whole desk listens for. Figures are copied as spreadsheets read them (`toCopied`). A
 * message that is dismissed (`data-told`) stays away.
 */
export function PageListeners() {
  useEffect(() => {
    // comes with no page, but with the first moment in which nothing else does
    let toText: typeof toCopied = (text) => text
    import('#components/text/to-copied.ts').then(
      (loaded) => {
        toText = loaded.toCopied
      },
      () => undefined,
    )
    const onCopy = (event: ClipboardEvent) => {
      const text = document.getSelection()?.toString() ?? ''
      const copied = toText(text)
      if (copied === text || event.target instanceof HTMLInputElement) return
      event.clipboardData?.setData('text/plain', copied)
      event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const { target } = event
      if (target instanceof HTMLAnchorElement && target.dataset.copy !== undefined) {
        event.preventDefault()
        navigator.clipboard.writeText(target.href).then(
          () => {
            target.textContent = 'Copied'
          },
          () => window.location.assign(target.href),
        )
      }
      const told = target instanceof HTMLElement ? target.dataset.told : undefined
      if (told === undefined) return
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
      document.cookie = toPreferenceCookie(TOLD_LINKS_COOKIE, told)
      const message = (target as HTMLElement).parentElement
      if (message !== null) message.hidden = true
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('click', onClick)
    }
  }, [])
  return null
}
