'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { isTyping } from '#components/query/is-typing.ts'

const loadPalette = () => import('./palette-dialog.client.tsx')
const loadShortcuts = () => import('./shortcut-dialog.client.tsx')

/** Each loads when it first opens; pointing at its button starts early. */
const DIALOGS = {
  palette: lazy(async () => ({ default: (await loadPalette()).PaletteDialog })),
  shortcuts: lazy(async () => ({ default: (await loadShortcuts()).ShortcutDialog })),
}
const LOADS = { palette: loadPalette, shortcuts: loadShortcuts }
type DialogName = keyof typeof DIALOGS

/** How long the letter after `g` may take. */
const GO_MS = 1500

/**
 * The keys of the whole desk: Ctrl+K opens the palette, `?` the shortcuts, `g` and a letter lead to
 * a page of the frame (`data-go`). A button with `data-opens` opens a dialog, too.
 */
export function PageKeys() {
  const [open, setOpen] = useState<DialogName | null>(null)
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      const isGoing = event.timeStamp - goAt < GO_MS
      if (isPaletteKey(event)) {
        if (document.querySelector('dialog[open]') !== null) return
        event.preventDefault()
        setOpen('palette')
      }
      if (isTyping(event) || event.key === 'Shift') return
      goAt = Number.NEGATIVE_INFINITY
      if (isGoing) {
        const link = document.querySelector<HTMLElement>(`#sidebar [data-go="${CSS.escape(event.key)}"]`)
        if (link === null) return
        // the letter is a key of some lists, too
        event.preventDefault()
        event.stopImmediatePropagation()
        link.click()
      } else if (event.key === 'g') goAt = event.timeStamp
      else if (event.key === '?') {
        event.preventDefault()
        setOpen('shortcuts')
      }
    }
    const onClick = ({ target }: Event) => {
      const name = findDialog(target)
      if (name !== null) setOpen(name)
    }
    const onPoint = ({ target }: Event) => {
      const name = findDialog(target)
      if (name !== null) LOADS[name]().catch(() => undefined)
    }
    document.addEventListener('keydown', onKey, { capture: true })
    document.addEventListener('click', onClick)
    document.addEventListener('pointerover', onPoint)
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true })
      document.removeEventListener('click', onClick)
      document.removeEventListener('pointerover', onPoint)
    }
  }, [])
  if (open === null) return null
  const Dialog = DIALOGS[open]
  return (
    <Suspense>
      <Dialog onClose={() => setOpen(null)} />
    </Suspense>
  )
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
}

function findDialog(target: EventTarget | null): DialogName | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-opens]') : null
  const name = button?.dataset.opens
  return name !== undefined && name in DIALOGS ? (name as DialogName) : null
}
