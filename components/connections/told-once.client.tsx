'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { TOLD_LINKS_COOKIE, toPreferenceCookie } from '#components/frame/preferences.ts'
import { buttonClass } from '#components/primitives/button.ts'

type ToldOnceProps = {
  /** What is told: another one is told again. */
  told: string
  /** Pages below this address say it themselves. */
  saidAt: string
  children: ReactNode
}

/** A message of the frame until it is dismissed, and not on the page that it leads to. */
export function ToldOnce({ told, saidAt, children }: ToldOnceProps) {
  const [isDismissed, setDismissed] = useState(false)
  const path = usePathname()
  if (isDismissed || path?.startsWith(saidAt)) return null
  const dismiss = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    document.cookie = toPreferenceCookie(TOLD_LINKS_COOKIE, told)
    setDismissed(true)
  }
  return (
    <div className="relative shrink-0 print:hidden">
      {children}
      <button
        type="button"
        onClick={dismiss}
        className={`${buttonClass({ look: 'quiet', size: 'small' })} absolute top-1 right-2`}
      >
        Dismiss
      </button>
    </div>
  )
}
