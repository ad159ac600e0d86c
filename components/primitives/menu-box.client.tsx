'use client'

import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { classNames } from '#components/class-names.ts'
import { Link } from '#components/query/link.client.tsx'
import type { Opened } from './opener.client.tsx'
import { PopoverBox } from './popover-box.client.tsx'

/** What an item does, or the page it leads to. */
export type MenuItem = { label: string; isApart?: boolean; className?: string } & (
  | { choose: () => void }
  | { href: string }
)

type MenuBoxProps = Opened & { label: string; items: MenuItem[]; width?: number; anchor?: HTMLElement }

const WIDTH = 152
const TYPING_PAUSE_MS = 700

/** What a menu button opens. */
export function MenuBox({ label, items, width = WIDTH, ...opened }: MenuBoxProps) {
  const setOpen = opened.onOpenChange
  const typed = useRef({ text: '', at: 0 })

  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const current = all.indexOf(document.activeElement as HTMLElement)
    const goTo = (index: number) => {
      event.preventDefault()
      all[(index + all.length) % all.length]?.focus()
    }
    switch (event.key) {
      case 'ArrowDown':
        return goTo(current + 1)
      case 'ArrowUp':
        return goTo(current === -1 ? -1 : current - 1)
      case 'Home':
        return goTo(0)
      case 'End':
        return goTo(-1)
      case 'Tab':
        return setOpen(false)
    }
    if (event.key.length !== 1 || event.key === ' ' || event.metaKey || event.ctrlKey || event.altKey) return
    const { text, at } = typed.current
    typed.current = { text: event.timeStamp - at < TYPING_PAUSE_MS ? text + event.key : event.key, at: event.timeStamp }
    const found = all.findIndex((item) => item.textContent?.toLowerCase().startsWith(typed.current.text.toLowerCase()))
    if (found !== -1) goTo(found)
  }

  return (
    <PopoverBox {...opened} role="menu" label={label} width={width} onKeyDown={onKeyDown}>
      <div role="none" className="p-1">
        {items.map((item) => {
          const { label: text, isApart, className } = item
          const shared = {
            role: 'menuitem',
            tabIndex: -1,
            // a menu that opens under a pointer that rests is no choice of it
            onPointerMove: ({ movementX, movementY, currentTarget }: PointerEvent<HTMLElement>) => {
              if (movementX !== 0 || movementY !== 0) currentTarget.focus()
            },
            className: classNames('menu-item', className),
          }
          return (
            <div
              key={'href' in item ? item.href : text}
              role="none"
              className={isApart ? 'mt-1 border-t pt-1' : undefined}
            >
              {'href' in item ? (
                <Link {...shared} href={item.href} onClick={() => setOpen(false)}>
                  {text}
                </Link>
              ) : (
                <button
                  {...shared}
                  type="button"
                  onClick={() => {
                    setOpen(false)
                    item.choose()
                  }}
                >
                  {text}
                </button>
              )}
            </div>
          )
        })}
      </div>
    </PopoverBox>
  )
}
