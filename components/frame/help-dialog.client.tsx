'use client'

import { Keyboard, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { buttonClass } from '../primitives/button.ts'
import { Kbd } from '../primitives/kbd.tsx'
import { isTyping } from '../query/is-typing.ts'

const SHORTCUTS: { title: string; rows: [keys: string[], meaning: string][] }[] = [
  {
    title: 'In a list',
    rows: [
      [['j', '↓'], 'Next row'],
      [['k', '↑'], 'Previous row'],
      [['Home', 'End'], 'First and last row'],
      [['Enter'], 'Open the row; once more: into the panel'],
      [['Space'], 'Select the row'],
      [['→', '←'], 'Expand and collapse a group'],
      [['Esc'], 'Close the panel, then clear the selection'],
    ],
  },
  {
    title: 'Everywhere',
    rows: [
      [['/'], 'Search'],
      [['f'], 'Add a filter'],
      [['['], 'Fold the sidebar'],
      [['?'], 'This list'],
    ],
  },
]

/** The keyboard's shortcuts; `?` opens them. */
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
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        className={buttonClass({ look: 'quiet', size: 'icon' })}
        title="Keyboard shortcuts ( ? )"
        aria-label="Keyboard shortcuts"
      >
        <Keyboard size={16} strokeWidth={1.75} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[var(--shade)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 max-h-[76vh] w-[min(420px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg p-5 shadow-[0_12px_40px_var(--lift)] focus:outline-none"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="font-semibold text-[14px]">Keyboard shortcuts</Dialog.Title>
            <Dialog.Close className={buttonClass({ look: 'quiet', size: 'icon' })} aria-label="Close">
              <X size={16} aria-hidden />
            </Dialog.Close>
          </div>
          {SHORTCUTS.map(({ title, rows }) => (
            <section key={title} className="mt-3">
              <h3 className="mb-1 font-medium text-[12px] text-ink3">{title}</h3>
              <dl>
                {rows.map(([keys, meaning]) => (
                  <div key={meaning} className="flex h-8 items-center justify-between gap-4 border-t text-[13px]">
                    <dt className="order-2 flex shrink-0 gap-1">
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dt>
                    <dd className="truncate">{meaning}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
