'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Back keeps scroll: browsers restore the window's position but not a scroll container's. Remembers
 * it per history entry, so Back, Forward and reload restore it and other links start at the top.
 * `address` identifies the list: changed filters start at the top, too. Until the rows are first
 * complete, the position is neither restored nor saved.
 */
export function useKeptScroll(container: RefObject<HTMLElement | null>, address: string, isComplete = true): void {
  const [isReady, setReady] = useState(isComplete)
  if (isComplete && !isReady) setReady(true)
  useLayoutEffect(() => {
    const element = isReady ? toScroller(container.current) : null
    if (!element) return
    element.scrollTop = readKeptScroll(address)
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

/** For a list that knows its own position better than its box. */
export function readKeptScroll(address: string): number {
  return Number(sessionStorage.getItem(toName(address)) ?? 0)
}

export function keepScroll(address: string, position: number): void {
  sessionStorage.setItem(toName(address), String(Math.round(position)))
}

/** Browsers without the Navigation API lose the position with the document. */
function toName(address: string): string {
  return `scroll ${window.navigation?.currentEntry?.key ?? performance.timeOrigin} ${address}`
}

/** On a narrow screen the page scrolls, not the table. */
function toScroller(element: HTMLElement | null): HTMLElement | null {
  if (!element || getComputedStyle(element).overflowY !== 'visible') return element
  return element.closest('main')
}
