'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuItem } from '#components/primitives/menu-box.client.tsx'

const RowMenu = lazy(async () => ({ default: (await import('./row-menu.client.tsx')).RowMenu }))

/**
 * The menu of a row, under it, for a list's `menu` key. It loads when one first opens; `slot`
 * stands in the list.
 */
export function useRowMenu(): {
  slot: ReactNode
  open: (row: HTMLElement | undefined, list: () => Promise<MenuItem[]>) => void
} {
  const [opened, setOpened] = useState<{ row: HTMLElement; items: MenuItem[] } | null>(null)
  return {
    slot: opened !== null && (
      <Suspense>
        <RowMenu {...opened} onClose={() => setOpened(null)} />
      </Suspense>
    ),
    open: (row, list) => {
      if (row === undefined) return
      list().then(
        (items) => setOpened({ row, items }),
        // it could not be loaded: the row has its other keys
        () => undefined,
      )
    },
  }
}
