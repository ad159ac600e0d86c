'use client'

import { lazy, Suspense } from 'react'
import { useLater } from '#components/primitives/use-later.client.tsx'
import type { PanelReview } from '#components/review/line-review.client.tsx'
import type { LineRow } from '#lib/ledger/model.ts'

/** The panel's code, with the decimal library, loads after the page and before the first click. */
const loadPanel = () => import('./line-panel.client.tsx')
const LoadedPanel = lazy(async () => ({ default: (await loadPanel()).LinePanelContent }))

const PANEL_ID = 'line-panel'

export function focusLinePanel(): void {
  document.getElementById(PANEL_ID)?.focus()
}

type LinePanelProps = { openKey: string | null; row: LineRow | null; review?: PanelReview; onClose: () => void }

/** For a list in which nothing is decided. */
const READ_ONLY: PanelReview = { decide: undefined, version: '' }

/** The place on the right where a line's panel opens. */
export function LinePanel({ openKey, row, review = READ_ONLY, onClose }: LinePanelProps) {
  useLater(loadPanel)
  if (openKey === null) return null
  return (
    <aside id={PANEL_ID} tabIndex={-1} aria-label="Line" className="line-panel">
      <Suspense>
        <LoadedPanel openKey={openKey} row={row} review={review} onClose={onClose} />
      </Suspense>
    </aside>
  )
}
