'use client'

import { type RefObject, useLayoutEffect } from 'react'

let isTraversing = false
if (typeof window !== 'undefined') {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  isTraversing = entry?.type === 'back_forward' || entry?.type === 'reload'
  // in the capture phase: the router answers the same event by drawing the page at once
  window.addEventListener(
    'popstate',
    () => {
      isTraversing = true
    },
    true,
  )
  for (const gesture of ['pointerdown', 'keydown'])
    window.addEventListener(
      gesture,
      () => {
        isTraversing = false
      },
      true,
    )
}

/**
 * Back keeps scroll: browsers restore the window's position but not a scroll container's. A list that is reached by going
 * back or by a reload gets the position it was left at; any other way leads to its top. `address` names the list.
 */
export function useKeptScroll(container: RefObject<HTMLElement | null>, address: string): void {
  useLayoutEffect(() => {
    const element = toScroller(container.current)
    if (!element) return
    const name = `scroll ${address}`
    element.scrollTop = isTraversing ? Number(sessionStorage.getItem(name) ?? 0) : 0
    let frame = 0
    const onScroll = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => sessionStorage.setItem(name, String(Math.round(element.scrollTop))))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', onScroll)
    }
  }, [container, address])
}

/** On a narrow screen the page scrolls, not the table. */
function toScroller(element: HTMLElement | null): HTMLElement | null {
  if (!element || getComputedStyle(element).overflowY !== 'visible') return element
  return element.closest('main')
}
