'use client'

import { type KeyboardEvent, type ReactNode, useRef } from 'react'

const STEPS: Record<string, [row: number, column: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Arrow keys move between the linked cells of calendars; Tab stops once per calendar. Cells are
 * links with `data-row` and `data-column`; other cells are skipped.
 */
export function CalendarKeys({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const listCells = () => [...(box.current?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const from = event.target
    if (step === undefined || !(from instanceof HTMLAnchorElement) || from.dataset.row === undefined) return
    event.preventDefault()
    findNext(listCells(), from, step)?.focus()
  }
  const onFocus = (event: { target: EventTarget }) => {
    if (!(event.target instanceof HTMLAnchorElement) || event.target.dataset.row === undefined) return
    for (const cell of listCells()) cell.tabIndex = cell === event.target ? 0 : -1
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is operated; this only moves between them
    <div ref={box} onKeyDown={onKeyDown} onFocus={onFocus}>
      {children}
    </div>
  )
}

function placeOf(cell: HTMLAnchorElement): [row: number, column: number] {
  return [Number(cell.dataset.row), Number(cell.dataset.column)]
}

/** The nearest cell in a direction: along the row, or the closest column of another row. */
function findNext(cells: HTMLAnchorElement[], from: HTMLAnchorElement, [down, right]: [number, number]) {
  const [row, column] = placeOf(from)
  const distance = (cell: HTMLAnchorElement) => {
    const [otherRow, otherColumn] = placeOf(cell)
    const ahead = down === 0 ? (otherColumn - column) * right : (otherRow - row) * down
    if (ahead <= 0 || (down === 0 && otherRow !== row)) return Number.POSITIVE_INFINITY
    return ahead * 100 + Math.abs(otherColumn - column)
  }
  return cells
    .filter((cell) => Number.isFinite(distance(cell)))
    .sort((a, b) => distance(a) - distance(b))
    .at(0)
}
