'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Back keeps scroll: browsers restore the window's position but not a scroll container's. It is
 * remembered per entry of the browser's history, so that going back, forward or reloading finds it,
 * and any other way leads to the list's top. `address` names the list: filters that take the place
 * of others begin at the top as well. Until the rows are complete for the first time, the place is
 * neither looked for nor overwritten.
 */
export function useKeptScroll(container: RefObject<HTMLElement | null>, address: string, isComplete = true): void {
  const [isReady, setReady] = useState(isComplete)
  if (isComplete && !isReady) setReady(true)
  useLayoutEffect(() => {
    const element = isReady ? toScroller(container.current) : null
    if (!element) return
    element.scrollTop = Number(sessionStorage.getItem(toName(address)) ?? 0)
    let frame = 0
    const onScroll = () => {
      const name = toName(address)
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => sessionStorage.setItem(name, String(Math.round(element.scrollTop))))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', onScroll)
    }
  }, [container, address, isReady])
}

/** Browsers without the Navigation API forget the position with the document. */
function toName(address: string): string {
  return `scroll ${window.navigation?.currentEntry?.key ?? performance.timeOrigin} ${address}`
}

/** On a narrow screen the page scrolls, not the table. */
function toScroller(element: HTMLElement | null): HTMLElement | null {
  if (!element || getComputedStyle(element).overflowY !== 'visible') return element
  return element.closest('main')
}
