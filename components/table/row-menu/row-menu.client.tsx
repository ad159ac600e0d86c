'use client'

import { useEffect, useId, useState } from 'react'
import { MenuBox, type MenuItem } from '#components/primitives/menu-box.client.tsx'

/** What can be done with a row, under it; the focus goes back to the row. */
export function RowMenu({ row, items, onClose }: { row: HTMLElement; items: MenuItem[]; onClose: () => void }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // the box draws its content as the browser opens it, which no effect may
    queueMicrotask(() => document.getElementById(id)?.showPopover())
  }, [id])
  return (
    <MenuBox
      id={id}
      label="The row"
      items={items}
      width={264}
      isOpen={isOpen}
      anchor={row}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) onClose()
      }}
    />
  )
}
