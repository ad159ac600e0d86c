'use client'

import { type KeyboardEventHandler, type ReactNode, type ToggleEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Opened } from './opener.client.tsx'

type PopoverBoxProps = Opened & {
  role: 'dialog' | 'menu'
  label: string
  /** What it stands beside and gives the focus back to; its button, without one. */
  anchor?: HTMLElement | undefined
  /** Pixels; the popover stays within the window. */
  width: number
  onKeyDown?: KeyboardEventHandler
  children: ReactNode
}

const GAP = 6
const MARGIN = 8
/** With less room than this below the button, the popover opens above it. */
const LEAST_HEIGHT = 240

/**
 * A box beside its button, on the browser's popover API: on top of everything, closed by Escape or
 * a click elsewhere, focus back on the button. Its content renders only while it is open.
 */
export function PopoverBox(props: PopoverBoxProps) {
  const { id, isOpen, onOpenChange, anchor, role, label, width, onKeyDown, children } = props
  const box = useRef<HTMLDivElement>(null)

  const findButton = () => anchor ?? document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
  const place = () => {
    const button = findButton()
    const style = box.current?.style
    if (!button || !style) return
    const { left, top, bottom } = button.getBoundingClientRect()
    const isAbove = window.innerHeight - bottom < LEAST_HEIGHT && top > window.innerHeight - bottom
    style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`
    style.top = isAbove ? 'auto' : `${bottom + GAP}px`
    style.bottom = isAbove ? `${window.innerHeight - top + GAP}px` : 'auto'
    style.maxHeight = `${(isAbove ? top : window.innerHeight - bottom) - GAP - MARGIN}px`
  }
  // a choice may move the button
  useLayoutEffect(() => {
    if (isOpen) place()
  })
  useEffect(() => {
    if (!isOpen) return
    const onMove = () => place()
    window.addEventListener('resize', onMove)
    document.addEventListener('scroll', onMove, { capture: true, passive: true })
    return () => {
      window.removeEventListener('resize', onMove)
      document.removeEventListener('scroll', onMove, { capture: true })
    }
  })
  // closed by a choice, not by the browser
  useEffect(() => {
    if (!isOpen && box.current?.matches(':popover-open')) box.current.hidePopover()
  }, [isOpen])

  const onBeforeToggle = (event: ToggleEvent) => {
    if (event.target !== box.current || event.newState !== 'open') return
    // rendered before the browser shows it, which needs something to focus and to place
    flushSync(() => onOpenChange(true))
  }
  const onToggle = (event: ToggleEvent) => {
    if (event.target !== box.current) return
    if (event.newState === 'closed') {
      onOpenChange(false)
      // opened by a key while nothing had the focus: the browser has nowhere to return it
      const at = document.activeElement
      if (at === document.body || box.current.contains(at)) findButton()?.focus()
    } else if (!box.current.contains(document.activeElement)) focusFirst(box.current)
  }

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name
    // biome-ignore lint/a11y/noStaticElementInteractions: both roles are interactive
    <div
      ref={box}
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      tabIndex={-1}
      onBeforeToggle={onBeforeToggle}
      onToggle={onToggle}
      onKeyDown={onKeyDown}
      style={{ width }}
      className="popover"
    >
      {isOpen && children}
    </div>
  )
}

/** Content that loads later focuses itself. */
function focusFirst(box: HTMLElement): void {
  const first = box.querySelector<HTMLElement>('input, [role=menuitem], button, a[href]')
  ;(first ?? box).focus()
}
