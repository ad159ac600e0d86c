'use client'

import type { ReactNode } from 'react'

/** A sheet that the browser opens. The page that one of its links leads to is not under it. */
export function SheetBox({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click, too
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-label={label}
      className="popover more-sheet"
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a')) event.currentTarget.hidePopover()
      }}
    >
      {children}
    </div>
  )
}
