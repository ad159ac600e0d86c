'use client'

import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { RouterLinks } from '#components/query/router-links.client.tsx'

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Arrow keys move between the months' cells; Tab stops once, at the chosen one. */
export function CloseCells({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const from = toCell(event)
    if (step === undefined || from === null || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    findNext(from.parentElement as HTMLTableCellElement, step)?.focus()
  }
  const onFocus = (event: { target: EventTarget }) => {
    const current = toCell(event)
    if (current === null) return
    for (const cell of box.current?.querySelectorAll<HTMLAnchorElement>('td > a') ?? [])
      cell.tabIndex = cell === current ? 0 : -1
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is operated; this only moves between them
    <div ref={box} onKeyDown={onKeyDown} onFocus={onFocus} className="close-cells">
      <RouterLinks>{children}</RouterLinks>
    </div>
  )
}

function toCell({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>('td > a') : null
}

/** The next linked cell in a direction; cells without a link are passed over. */
function findNext(from: HTMLTableCellElement, [down, right]: [number, number]): HTMLAnchorElement | null {
  let row = from.parentElement as HTMLTableRowElement | null
  let column = from.cellIndex
  for (;;) {
    column += right
    if (down === 1) row = (row?.nextElementSibling ?? null) as HTMLTableRowElement | null
    if (down === -1) row = (row?.previousElementSibling ?? null) as HTMLTableRowElement | null
    const cell = row?.cells[column]
    if (cell === undefined) return null
    const link = cell.querySelector<HTMLAnchorElement>(':scope > a')
    if (link !== null) return link
  }
}
