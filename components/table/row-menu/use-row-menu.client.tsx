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
  const [opened, setOpened] = useState<{ row: HTMLElement; items: MenuItem[]; at: number } | null>(null)
  return {
    slot: opened !== null && (
      <Suspense>
        <RowMenu key={opened.at} row={opened.row} items={opened.items} onClose={() => setOpened(null)} />
      </Suspense>
    ),
    open: (row, list) => {
      if (row === undefined) return
      list().then(
        // a menu of its own each time: the browser opens and focuses it anew
        (items) => setOpened((before) => ({ row, items, at: (before?.at ?? 0) + 1 })),
        // it could not be loaded: the row has its other keys
        () => undefined,
      )
    },
  }
}
