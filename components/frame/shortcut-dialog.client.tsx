'use client'

import { useEffect, useRef } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { X } from '#components/primitives/icons.tsx'
import { Kbd } from '#components/primitives/kbd.tsx'

const SHORTCUTS: { title: string; rows: [keys: string[], meaning: string][] }[] = [
  {
    title: 'In a list',
    rows: [
      [['j', '↓'], 'Next row'],
      [['k', '↑'], 'Previous row'],
      [['Home', 'End'], 'First and last row'],
      [['Enter'], 'Open the row; press again to enter the panel'],
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
      [['['], 'Collapse the sidebar'],
      [['?'], 'This list'],
    ],
  },
]

/** The help dialog. It opens as soon as it is there. */
export function ShortcutDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // a native dialog keeps the focus inside, closes on Escape and restores the focus
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      aria-label="Keyboard shortcuts"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close()
      }}
      className="fixed inset-x-0 top-[12vh] mx-auto mb-auto max-h-[76vh] w-[min(420px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg text-ink shadow-[0_12px_40px_var(--lift)] backdrop:bg-[var(--shade)] focus:outline-none"
    >
      <ShortcutList />
    </dialog>
  )
}

function ShortcutList() {
  return (
    <div className="p-5">
      <form method="dialog" className="flex items-center justify-between">
        <h2 className="font-semibold text-[14px]">Keyboard shortcuts</h2>
        <button
          // biome-ignore lint/a11y/noAutofocus: a dialog that was asked for takes the focus
          autoFocus
          type="submit"
          className={buttonClass({ look: 'quiet', size: 'icon' })}
          aria-label="Close"
        >
          <X size={16} />
        </button>
      </form>
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
    </div>
  )
}
