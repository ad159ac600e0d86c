'use client'

import { AlertDialog } from 'radix-ui'
import type { FormEventHandler, ReactElement, ReactNode } from 'react'
import { buttonClass } from './button.ts'

type ConfirmDialogProps = {
  /** The button that opens the dialog and gets the focus back. */
  trigger: ReactElement
  title: ReactNode
  /** What the action means, in paragraphs. */
  description: ReactNode
  action: string
  onSubmit?: FormEventHandler<HTMLFormElement>
  /** Labels of the two buttons: keep things as they are, and do it. */
  leave: string
  confirm: string
  isOpenAtFirst?: boolean
  /** For a dialog controlled from outside; both or neither. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** Passed to Radix's dialog: decides the focus when the trigger is gone. */
  onCloseAutoFocus?: (event: Event) => void
  /** The form's choices, between the description and the buttons. */
  children?: ReactNode
}

/**
 * Asks before something that cannot be undone. Focus starts on the button that changes nothing, and
 * Escape does the same. A click outside does nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <AlertDialog.Root defaultOpen={props.isOpenAtFirst} open={props.isOpen} onOpenChange={props.onOpenChange}>
      <AlertDialog.Trigger asChild>{props.trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[var(--shade)]" />
        <AlertDialog.Content
          onCloseAutoFocus={props.onCloseAutoFocus}
          className="-translate-x-1/2 fixed top-[10vh] left-1/2 z-50 max-h-[84vh] w-[min(520px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg p-5 shadow-[0_12px_40px_var(--lift)] focus:outline-none"
        >
          <AlertDialog.Title className="font-semibold text-[16px]">{props.title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 flex flex-col gap-2 text-[13px] text-ink2">{props.description}</div>
          </AlertDialog.Description>
          <form method="post" action={props.action} onSubmit={props.onSubmit} className="mt-4">
            {props.children}
            <div className="mt-4 flex justify-end gap-2">
              <AlertDialog.Cancel className={buttonClass()} type="button">
                {props.leave}
              </AlertDialog.Cancel>
              <button type="submit" className={buttonClass({ look: 'primary' })}>
                {props.confirm}
              </button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
