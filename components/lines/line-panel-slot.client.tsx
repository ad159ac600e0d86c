'use client'

import { lazy, Suspense, useEffect } from 'react'
import type { LineRow } from '#lib/ledger/model.ts'

/** The panel's code, with the decimal library, loads after the page and before the first click. */
const loadPanel = () => import('./line-panel.client.tsx')
const LoadedPanel = lazy(async () => ({ default: (await loadPanel()).LinePanelContent }))

const PANEL_ID = 'line-panel'

export function focusLinePanel(): void {
  document.getElementById(PANEL_ID)?.focus()
}

type LinePanelProps = { openKey: string | null; row: LineRow | null; onClose: () => void }

/** The place on the right where a line's panel opens. */
export function LinePanel({ openKey, row, onClose }: LinePanelProps) {
  useEffect(() => {
    const timer = setTimeout(() => void loadPanel(), 600)
    return () => clearTimeout(timer)
  }, [])
  if (openKey === null) return null
  return (
    <aside
      id={PANEL_ID}
      tabIndex={-1}
      aria-label="Line"
      className="w-[380px] shrink-0 animate-[panel-in_120ms_ease-out] overflow-y-auto border-l bg-panel text-[13px] -outline-offset-2 max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-full max-md:border-l-0 print:hidden"
    >
      <Suspense>
        <LoadedPanel openKey={openKey} row={row} onClose={onClose} />
      </Suspense>
    </aside>
  )
}
