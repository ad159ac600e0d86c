'use client'

import type { MouseEvent, ReactNode } from 'react'
import { isForBrowser, useNavigate } from './navigate.client.tsx'

/**
 * Plain links to other pages: a click inside leads there without loading the document again. One
 * for a hundred links costs less than a hundred that do so themselves.
 */
export function RouterLinks({ children }: { children: ReactNode }) {
  const { navigate } = useNavigate('page')
  const go = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || isForBrowser(event)) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is operated
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter is a click
    <div className="contents" onClick={go}>
      {children}
    </div>
  )
}
