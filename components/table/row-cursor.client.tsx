'use client'

import { type FocusEventHandler, type RefObject, useRef, useState } from 'react'

type RowCursor = {
  /** The body whose rows these are. */
  body: RefObject<HTMLTableSectionElement | null>
  /** The current row's place; -1 while there is none. */
  current: number
  setCurrent: (id: string) => void
  /** Makes a row the current one and gives it the focus. */
  goTo: (index: number) => void
  /** Gives the focus back to the current row. */
  focus: () => void
  /** For useListKeys. */
  keys: { move: (step: number) => void; toEnd: (end: 'first' | 'last') => void }
  rowProps: (index: number) => { tabIndex: number; onFocus: FocusEventHandler }
}

/** One row of a list is the current one: it alone is reached by Tab, and the keys act on it. */
export function useRowCursor(
  ids: string[],
  { fallbackId = null, onArrive }: { fallbackId?: string | null; onArrive?: (index: number) => void } = {},
): RowCursor {
  const [activeId, setCurrent] = useState<string | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = ids.indexOf(activeId ?? fallbackId ?? '')

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
    focus: () => body.current?.rows[current]?.focus(),
    keys: {
      move: (step) => goTo(current === -1 ? 0 : Math.min(Math.max(current + step, 0), ids.length - 1)),
      toEnd: (end) => goTo(end === 'first' ? 0 : ids.length - 1),
    },
    rowProps: (index) => ({
      tabIndex: index === Math.max(current, 0) ? 0 : -1,
      onFocus: () => setCurrent(ids[index] ?? ''),
    }),
  }
}
