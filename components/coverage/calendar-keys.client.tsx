'use client'

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { RouterLinks } from '#components/query/router-links.client.tsx'

const STEPS: Record<string, [row: number, column: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Arrow keys move between the linked cells of calendars, cells without a link are skipped; Tab
 * stops once per calendar. The links are plain: this leads there, and says a cell's month when
 * somebody points at it.
 */
export function CalendarKeys({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const listCells = () => [...(box.current?.querySelectorAll<HTMLAnchorElement>('td > a') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const from = toCell(event)
    if (step === undefined || from === null) return
    event.preventDefault()
    const rows = [...(box.current?.querySelectorAll('tbody > tr') ?? [])]
    findNext(listCells(), from, step, rows)?.focus()
  }
  const onFocus = (event: { target: EventTarget }) => {
    const current = toCell(event)
    if (current === null) return
    for (const cell of listCells()) cell.tabIndex = cell === current ? 0 : -1
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is operated; this only moves between them
    <div ref={box} onKeyDown={onKeyDown} onFocus={onFocus} onPointerOver={nameMonth} className="flex flex-col gap-5">
      <RouterLinks>{children}</RouterLinks>
    </div>
  )
}

function toCell({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>('td > a') : null
}

/** `March 2026: 3 invoices, 41 lines`, of a cell's column, row and words. */
function nameMonth({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null
  if (cell === null || cell.title !== '' || cell.textContent === '') return
  const row = cell.parentElement as HTMLTableRowElement
  const head = cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
  const words = cell.querySelector('span') ?? cell
  cell.title = `${head?.abbr} ${row.cells[0]?.textContent}: ${words.textContent}`
}

/** The nearest cell in a direction: along the row, or the closest column of another row. */
function findNext(
  cells: HTMLAnchorElement[],
  from: HTMLAnchorElement,
  [down, right]: [number, number],
  rows: Element[],
): HTMLAnchorElement | undefined {
  const placeOf = (cell: HTMLAnchorElement): [row: number, column: number] => {
    const place = cell.parentElement as HTMLTableCellElement
    return [rows.indexOf(place.parentElement as Element), place.cellIndex]
  }
  const [row, column] = placeOf(from)
  const distance = (cell: HTMLAnchorElement) => {
    const [otherRow, otherColumn] = placeOf(cell)
    const ahead = down === 0 ? (otherColumn - column) * right : (otherRow - row) * down
    if (ahead <= 0 || (down === 0 && otherRow !== row)) return Number.POSITIVE_INFINITY
    return ahead * 100 + Math.abs(otherColumn - column)
  }
  return cells
    .map((cell) => ({ cell, away: distance(cell) }))
    .filter(({ away }) => Number.isFinite(away))
    .sort((a, b) => a.away - b.away)[0]?.cell
}
