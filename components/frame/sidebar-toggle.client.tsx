'use client'

import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Panel } from '#components/primitives/icons.tsx'
import { isTyping } from '#components/query/is-typing.ts'
import { SIDEBAR_COOKIE, toPreferenceCookie } from './preferences.ts'

/** Collapses the sidebar to its icons, as `[` does. A cookie keeps the choice. */
export function SidebarToggle({ isCollapsed: initially }: { isCollapsed: boolean }) {
  const [isCollapsed, setCollapsed] = useState(initially)
  const button = useRef<HTMLButtonElement>(null)

  const toggle = () => {
    const next = !isCollapsed
    document.getElementById('sidebar')?.toggleAttribute('data-collapsed', next)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    document.cookie = toPreferenceCookie(SIDEBAR_COOKIE, next ? 'collapsed' : null)
    setCollapsed(next)
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '[' && !isTyping(event)) button.current?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <button
      ref={button}
      type="button"
      aria-pressed={isCollapsed}
      aria-controls="sidebar"
      aria-label="Collapse the sidebar"
      aria-keyshortcuts="["
      data-verb="Collapse or expand the sidebar"
      title={`${isCollapsed ? 'Expand' : 'Collapse'} the sidebar ( [ )`}
      onClick={toggle}
      className={`${buttonClass({ look: 'quiet', size: 'icon' })} max-[60rem]:hidden`}
    >
      <Panel size={16} />
    </button>
  )
}
