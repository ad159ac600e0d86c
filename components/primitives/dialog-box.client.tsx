'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '#components/class-names.ts'

type DialogBoxProps = {
  label: string
  onClose: () => void
  className?: string
  /** Gets what closes the dialog, and with it gives the focus back. */
  children: (close: () => void) => ReactNode
}

/**
 * A dialog over the page, open as soon as it is there: the browser keeps the focus inside, closes
 * it on Escape and restores the focus. A click beside it closes it, too.
 */
export function DialogBox({ label, onClose, className, children }: DialogBoxProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close()
      }}
      className={classNames('dialog-box', className)}
    >
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
