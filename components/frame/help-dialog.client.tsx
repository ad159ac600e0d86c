'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Keyboard } from '#components/primitives/icons.tsx'
import { isTyping } from '#components/query/is-typing.ts'

/** Loaded when it first opens; pointing at the button starts early. */
const load = () => import('./shortcut-dialog.client.tsx')
const ShortcutDialog = lazy(async () => ({ default: (await load()).ShortcutDialog }))

/** The keyboard shortcuts; `?` opens them. */
export function HelpDialog() {
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || isTyping(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        onPointerEnter={load}
        aria-haspopup="dialog"
        className={buttonClass({ look: 'quiet', size: 'icon' })}
        title="Keyboard shortcuts ( ? )"
        aria-label="Keyboard shortcuts"
      >
        <Keyboard size={16} strokeWidth={1.75} />
      </button>
      {isOpen && (
        <Suspense>
          <ShortcutDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
