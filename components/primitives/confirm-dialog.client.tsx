'use client'

import {
  cloneElement,
  type FormEventHandler,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { buttonClass } from './button.ts'

type Trigger = ReactElement<{
  onClick?: (event: MouseEvent) => void
  'aria-haspopup'?: 'dialog'
  'aria-expanded'?: boolean
}>

type ConfirmDialogProps = {
  /** The button that opens the dialog and gets the focus back. */
  trigger: Trigger
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
  /** Gets the focus when the dialog goes away together with its trigger. */
  next?: RefObject<HTMLElement | null>
  /** The form's choices, between the description and the buttons. */
  children?: ReactNode
}

/**
 * Asks before something that cannot be undone. Focus starts on the button that changes nothing, and
 * Escape does the same. A click outside does nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = props.isOpen ?? isOpenHere
  const change = (isWanted: boolean) => {
    setOpenHere(isWanted)
    props.onOpenChange?.(isWanted)
  }
  // the server cannot show what is on top of everything
  useEffect(() => {
    if (props.isOpenAtFirst) setOpenHere(true)
  }, [props.isOpenAtFirst])
  return (
    <>
      {cloneElement(props.trigger, {
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        onClick: (event) => {
          event.preventDefault()
          change(true)
        },
      })}
      {/* at the end of the body: the trigger may stand in a form of its own */}
      {isOpen && createPortal(<OpenDialog {...props} onLeave={() => change(false)} />, document.body)}
    </>
  )
}

function OpenDialog(props: ConfirmDialogProps & { onLeave: () => void }) {
  const { title, description, action, onSubmit, leave, confirm, next, onLeave, children } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const leaveButton = useRef<HTMLButtonElement>(null)

  // a native dialog keeps the focus inside and makes the page behind it inert
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    leaveButton.current?.focus()
    // gives the focus back, while it is still in the page
    return () => element?.close()
  }, [])
  useEffect(
    () => () => {
      if (document.activeElement === document.body) next?.current?.focus()
    },
    [next],
  )

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault()
        onLeave()
      }}
      className="fixed inset-x-0 top-[10vh] m-0 mx-auto max-h-[84vh] w-[min(520px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg p-5 text-ink shadow-[0_12px_40px_var(--lift)] backdrop:bg-[var(--shade)] focus:outline-none"
    >
      <h2 id={`${id}-title`} className="font-semibold text-[16px]">
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-2 flex flex-col gap-2 text-[13px] text-ink2">
        {description}
      </div>
      <form method="post" action={action} onSubmit={onSubmit} className="mt-4">
        {children}
        <div className="mt-4 flex justify-end gap-2">
          <button ref={leaveButton} type="button" onClick={onLeave} className={buttonClass()}>
            {leave}
          </button>
          <button type="submit" className={buttonClass({ look: 'primary' })}>
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  )
}
