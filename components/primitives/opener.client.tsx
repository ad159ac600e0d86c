'use client'

import { type ComponentType, cloneElement, createElement, type ReactElement, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLater } from './use-later.client.tsx'

/** A button that takes the attributes of what it opens. */
export type Trigger = ReactElement<{
  popoverTarget?: string
  'aria-expanded'?: boolean
  'aria-controls'?: string | undefined
  'aria-haspopup'?: 'dialog' | 'menu'
  onPointerEnter?: () => void
  onFocus?: () => void
  onClick?: () => void
}>

/** What a box knows of its button. */
export type Opened = {
  /** The box's id, by which the button names it. */
  id: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

type OpenerProps<Own> = {
  trigger: Trigger
  role: 'dialog' | 'menu'
  /** Loads what opens; the same function each time. */
  load: () => Promise<ComponentType<Opened & Own>>
  /** What the box has besides. */
  own: Own
}

/**
 * A button and the box beside it. The box's script loads after the page, or when somebody is about
 * to need it; a click before that waits for it. From then on the browser opens and closes it.
 */
export function Opener<Own extends object>({ trigger, role, load, own }: OpenerProps<Own>) {
  const id = useId()
  const [box, setBox] = useState<{ Box: ComponentType<Opened & Own> } | null>(null)
  const [isOpen, onOpenChange] = useState(false)
  useLater(load)

  const prepare = () => {
    load().then(
      (Box) => setBox({ Box }),
      () => undefined,
    )
  }
  const open = async () => {
    if (box !== null) return
    const Box = await load()
    flushSync(() => setBox({ Box }))
    const element = document.getElementById(id)
    if (!element?.matches(':popover-open')) element?.showPopover()
  }
  const ahead = { onPointerEnter: prepare, onFocus: prepare, onClick: open }

  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        'aria-haspopup': role,
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        ...(box === null && ahead),
      })}
      {box !== null && createElement(box.Box, { ...own, id, isOpen, onOpenChange })}
    </>
  )
}
