'use client'

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Keyboard } from '#components/primitives/icons.tsx'
import { isTyping } from '#components/query/is-typing.ts'

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.client.tsx')).ShortcutList }))

/** The keyboard shortcuts; `?` opens them. */
export function HelpDialog() {
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || isTyping(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  // a native dialog keeps the focus inside, closes on Escape and restores the focus
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])

  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        className={buttonClass({ look: 'quiet', size: 'icon' })}
        title="Keyboard shortcuts ( ? )"
        aria-label="Keyboard shortcuts"
      >
        <Keyboard size={16} strokeWidth={1.75} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too */}
      <dialog
        ref={dialog}
        aria-label="Keyboard shortcuts"
        onClose={() => setOpen(false)}
        onClick={(event) => {
          if (event.target === dialog.current) dialog.current.close()
        }}
        className="fixed inset-x-0 top-[12vh] mx-auto mb-auto max-h-[76vh] w-[min(420px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg text-ink shadow-[0_12px_40px_var(--lift)] backdrop:bg-[var(--shade)] focus:outline-none"
      >
        {isOpen && (
          <Suspense>
            <ShortcutList />
          </Suspense>
        )}
      </dialog>
    </>
  )
}
