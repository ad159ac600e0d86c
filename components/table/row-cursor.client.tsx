'use client'

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

type CursorOptions = {
  /** The place of the first of the ids in the whole list, and how many rows that has. */
  first?: number
  count?: number
  /** Makes a row appear that is not among the ids. */
  reveal?: ((index: number) => void) | undefined
  /** The row that is current while no other was made so. */
  fallbackId?: string | null
  onArrive?: (index: number) => void
}

type RowCursor = {
  /** The current row's place in the whole list; -1 without one. */
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
 * @param body The element with these rows, each with `tabIndex={-1}`.
 * @param ids Of the rows in it; null for one that is still on its way.
 */
export function useRowCursor(
  body: RefObject<HTMLTableSectionElement | null>,
  ids: (string | null)[],
  { first = 0, count = ids.length, reveal, fallbackId = null, onArrive }: CursorOptions = {},
): RowCursor {
  const active = useRef<{ id: string; index: number } | null>(null)
  const awaited = useRef<number | null>(null)
  const tabStop = useRef<HTMLTableRowElement | null>(null)
  const current = () => {
    const found = ids.indexOf(active.current?.id ?? fallbackId ?? '')
    if (found !== -1) return first + found
    // a row that is scrolled away is still where one was, and where one has left, the next one is
    return active.current === null ? -1 : reveal ? active.current.index : Math.min(active.current.index, count - 1)
  }

  const moveTabStop = () => {
    const next = body.current?.rows[Math.max(current() - first, 0)] ?? null
    if (next === tabStop.current && next?.tabIndex === 0) return
    if (tabStop.current !== null) tabStop.current.tabIndex = -1
    if (next !== null) next.tabIndex = 0
    tabStop.current = next
  }
  const setCurrent = (id: string) => {
    const found = ids.indexOf(id)
    active.current = found === -1 ? null : { id, index: first + found }
    moveTabStop()
  }
  const goTo = (index: number) => {
    const id = ids[index - first] ?? null
    awaited.current = null
    if (id !== null) {
      setCurrent(id)
      body.current?.rows[index - first]?.focus()
      onArrive?.(index)
    } else if (reveal && index >= 0 && index < count) {
      awaited.current = index
      reveal(index)
    }
  }
  // rows may have come, gone or changed places
  useLayoutEffect(() => {
    moveTabStop()
    if (awaited.current !== null && (ids[awaited.current - first] ?? null) !== null) goTo(awaited.current)
  })

  return {
    current,
    setCurrent,
    goTo,
    focus: () => body.current?.rows[current() - first]?.focus(),
    keys: {
      move: (step) => {
        const at = awaited.current ?? current()
        goTo(at === -1 ? first : Math.min(Math.max(at + step, 0), count - 1))
      },
      toEnd: (end) => goTo(end === 'first' ? 0 : count - 1),
    },
    onFocus: (event) => {
      const id = ids[findRowIndex(event.target)]
      if (id) setCurrent(id)
    },
  }
}

/** The place in its body of the row around an element; -1 outside of rows. */
export function findRowIndex(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('tr') : null
  return row?.sectionRowIndex ?? -1
}
