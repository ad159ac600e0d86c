'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { X } from '#components/primitives/icons.tsx'
import { Kbd } from '#components/primitives/kbd.tsx'
import { listGoTos } from './page-commands.ts'

type Shortcut = [keys: string[], meaning: string]

const SHORTCUTS: { title: string; rows: Shortcut[] }[] = [
  {
    title: 'Everywhere',
    rows: [
      [['Ctrl', 'K'], 'Go to a page, view, invoice, trip or name'],
      [['/'], 'Search the list'],
      [['f'], 'Add a filter'],
      [['['], 'Collapse the sidebar'],
      [['?'], 'This list'],
    ],
  },
  {
    title: 'In a list',
    rows: [
      [['j', '↓'], 'Next row'],
      [['k', '↑'], 'Previous row'],
      [['Home', 'End'], 'First and last row'],
      [['PgUp', 'PgDn'], 'As many rows as are in sight'],
      [['Enter'], 'Open the row; press again to enter the panel'],
      [['Shift', 'F10'], 'What can be done with the row'],
      [['Space'], 'Select the row'],
      [['Shift', 'Space'], 'Select all rows from the last one'],
      [['Esc'], 'Close the panel, then clear the selection'],
    ],
  },
  {
    title: 'In lists of lines',
    rows: [
      [['a'], 'Accept the row, or what is selected'],
      [['d'], 'Dispute it'],
      [['c'], 'Write a comment'],
      [['w'], 'Say who has it'],
      [['u'], 'Take the last decision back'],
    ],
  },
  {
    title: 'In groups',
    rows: [
      [['→', '←'], 'Expand and collapse a group'],
      [['Enter'], 'The same, down to its lines'],
    ],
  },
]

/** The keyboard shortcuts. */
export function ShortcutDialog({ onClose }: { onClose: () => void }) {
  // the frame has the pages that its person may see
  const [pages] = useState(() => listGoTos().map(({ key, label }): Shortcut => [['g', key], label]))
  return (
    <DialogBox label="Keyboard shortcuts" onClose={onClose} className="shortcuts">
      {() => (
        <>
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
          <div className="gap-x-8 md:columns-2">
            {[...SHORTCUTS, { title: 'Go to', rows: pages }].map((section) => (
              <ShortcutSection key={section.title} {...section} />
            ))}
          </div>
        </>
      )}
    </DialogBox>
  )
}

function ShortcutSection({ title, rows }: { title: string; rows: Shortcut[] }) {
  return (
    <section className="mt-3 break-inside-avoid">
      <h3 className="mb-1 font-medium text-[12px] text-ink3">{title}</h3>
      <dl>
        {rows.map(([keys, meaning]) => (
          <div key={meaning} className="flex min-h-8 items-center justify-between gap-4 border-t py-1 text-[13px]">
            <dt className="order-2 flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
