'use client'

import { useEffect, useRef } from 'react'
import { ROWS_ID } from '#components/primitives/grid-roles.ts'
import { isTyping } from '#components/query/is-typing.ts'

export type ListKeys = {
  move: (step: number) => void
  toEnd: (end: 'first' | 'last') => void
  /** By as many rows as are in sight; absent where the browser scrolls. */
  turn?: (direction: 1 | -1) => void
  open: () => void
  /** With `isRange` all rows from the last one that was selected. */
  select?: (isRange: boolean) => void
  /** What can be done with the row. */
  menu?: () => void
  escape: () => void
  /** The letters of keys of the list's own. */
  others?: string | undefined
  other?: (key: string) => void
  expand?: () => void
  collapse?: () => void
}

/**
 * A list's keys, active on the whole page except where the focused element has its own: Enter and
 * Space on a button or link, arrows in a scroll box.
 */
export function useListKeys(keys: ListKeys): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || (event.shiftKey && event.key !== ' ' && event.key !== 'F10')) return
      const act = toAction(event, current.current)
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function toAction(event: KeyboardEvent, keys: ListKeys): (() => void) | undefined {
  const target = event.target as Element
  const isOnRow = target.closest('[data-row]') !== null && target.closest('a, button, input') === null
  const isFree = target === document.body || target.id === ROWS_ID || isOnRow
  switch (event.key) {
    case 'j':
      return () => keys.move(1)
    case 'k':
      return () => keys.move(-1)
    case 'ArrowDown':
      return isFree ? () => keys.move(1) : undefined
    case 'ArrowUp':
      return isFree ? () => keys.move(-1) : undefined
    case 'Home':
      return isOnRow ? () => keys.toEnd('first') : undefined
    case 'End':
      return isOnRow ? () => keys.toEnd('last') : undefined
    case 'PageDown':
      return isOnRow ? keys.turn && (() => keys.turn?.(1)) : undefined
    case 'PageUp':
      return isOnRow ? keys.turn && (() => keys.turn?.(-1)) : undefined
    case 'ArrowRight':
      return isOnRow ? keys.expand : undefined
    case 'ArrowLeft':
      return isOnRow ? keys.collapse : undefined
    case 'Enter':
      return isOnRow ? keys.open : undefined
    case ' ':
      return isOnRow ? keys.select && (() => keys.select?.(event.shiftKey)) : undefined
    case 'ContextMenu':
      return isOnRow ? keys.menu : undefined
    case 'F10':
      return isOnRow && event.shiftKey ? keys.menu : undefined
    case 'Escape':
      return keys.escape
    default:
      return keys.others?.includes(event.key) ? () => keys.other?.(event.key) : undefined
  }
}
