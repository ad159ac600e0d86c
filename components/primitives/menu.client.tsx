'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { Popover, type Trigger } from './popover.client.tsx'

type MenuItem = { label: string; choose: () => void; isApart?: boolean }

type MenuProps = { label: string; trigger: Trigger; items: MenuItem[] }

const WIDTH = 152
const TYPING_PAUSE_MS = 700

/** A menu button (ARIA): arrows, Home, End or a first letter move, Enter chooses, Escape closes. */
export function Menu({ label, trigger, items }: MenuProps) {
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
      width={WIDTH}
      onKeyDown={onKeyDown}
    >
      <div role="none" className="p-1">
        {items.map(({ label: text, choose, isApart }) => (
          <div key={text} role="none" className={isApart ? 'mt-1 border-t pt-1' : undefined}>
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              onPointerMove={(event) => event.currentTarget.focus()}
              onClick={() => {
                setOpen(false)
                choose()
              }}
              className="flex h-8 w-full items-center rounded-md px-2 text-left text-[13px] focus:bg-hover focus:outline-none"
            >
              {text}
            </button>
          </div>
        ))}
      </div>
    </Popover>
  )
}
