'use client'

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '#components/class-names.ts'
import { Link } from '#components/query/link.client.tsx'
import { Popover, type Trigger } from './popover.client.tsx'

/** What an item does, or the page it leads to. */
type MenuItem = { label: string; isApart?: boolean; className?: string } & ({ choose: () => void } | { href: string })

type MenuProps = { label: string; trigger: Trigger; items: MenuItem[]; width?: number }

const WIDTH = 152
const TYPING_PAUSE_MS = 700

/** A menu button (ARIA): arrows, Home, End or a first letter move, Enter chooses, Escape closes. */
export function Menu({ label, trigger, items, width = WIDTH }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
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
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={trigger}
      role="menu"
      label={label}
      width={width}
      onKeyDown={onKeyDown}
    >
      <div role="none" className="p-1">
        {items.map((item) => {
          const { label: text, isApart, className } = item
          const shared = {
            role: 'menuitem',
            tabIndex: -1,
            onPointerMove: (event: PointerEvent<HTMLElement>) => event.currentTarget.focus(),
            className: classNames('menu-item', className),
          }
          return (
            <div key={text} role="none" className={isApart ? 'mt-1 border-t pt-1' : undefined}>
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
    </Popover>
  )
}
