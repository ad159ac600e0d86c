'use client'

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

type CursorOptions = {
  /** The row that is current while no other was made so. */
  fallbackId?: string | null
  onArrive?: (index: number) => void
}

type RowCursor = {
  /** The body with these rows, each with `tabIndex={-1}`. */
  body: RefObject<HTMLTableSectionElement | null>
  /** The current row's index; -1 without one. */
  current: () => number
  setCurrent: (id: string) => void
  /** Makes a row current and focuses it. */
  goTo: (index: number) => void
  /** Returns the focus to the current row. */
  focus: () => void
  /** For useListKeys. */
  keys: { move: (step: number) => void; toEnd: (end: 'first' | 'last') => void }
  /** For the body. */
  onFocus: (event: FocusEvent) => void
}

/**
 * One row of a list is current: Tab reaches only that row, and keys act on it. Going to another row
 * changes two attributes and draws nothing.
 */
export function useRowCursor(ids: string[], { fallbackId = null, onArrive }: CursorOptions = {}): RowCursor {
  const activeId = useRef<string | null>(null)
  const tabStop = useRef<HTMLTableRowElement | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = () => ids.indexOf(activeId.current ?? fallbackId ?? '')

  const moveTabStop = () => {
    const next = body.current?.rows[Math.max(current(), 0)] ?? null
    if (next === tabStop.current && next?.tabIndex === 0) return
    if (tabStop.current !== null) tabStop.current.tabIndex = -1
    if (next !== null) next.tabIndex = 0
    tabStop.current = next
  }
  // rows may have come, gone or changed places
  useLayoutEffect(moveTabStop)

  const setCurrent = (id: string) => {
    activeId.current = id
    moveTabStop()
  }
  const goTo = (index: number) => {
    const id = ids[index]
    if (id === undefined) return
    setCurrent(id)
    body.current?.rows[index]?.focus()
    onArrive?.(index)
  }
  return {
    body,
    current,
    setCurrent,
    goTo,
    focus: () => body.current?.rows[current()]?.focus(),
    keys: {
      move: (step) => {
        const at = current()
        goTo(at === -1 ? 0 : Math.min(Math.max(at + step, 0), ids.length - 1))
      },
      toEnd: (end) => goTo(end === 'first' ? 0 : ids.length - 1),
    },
    onFocus: (event) => setCurrent(ids[findRowIndex(event.target)] ?? ''),
  }
}

/** The place in its body of the row around an element; -1 outside of rows. */
export function findRowIndex(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('tr') : null
  return row?.sectionRowIndex ?? -1
}
