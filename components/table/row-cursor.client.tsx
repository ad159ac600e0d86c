'use client'

import { type FocusEventHandler, type RefObject, useRef, useState } from 'react'

type RowCursor = {
  /** The body with these rows. */
  body: RefObject<HTMLTableSectionElement | null>
  /** The current row's index; -1 without one. */
  current: number
  setCurrent: (id: string) => void
  /** Makes a row current and focuses it. */
  goTo: (index: number) => void
  /** Returns the focus to the current row. */
  focus: () => void
  /** For useListKeys. */
  keys: { move: (step: number) => void; toEnd: (end: 'first' | 'last') => void }
  rowProps: (index: number) => { tabIndex: number; onFocus: FocusEventHandler }
}

/** One row of a list is current: Tab reaches only that row, and keys act on it. */
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
