'use client'

import { type FormEventHandler, type RefObject, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { ConfirmDialog } from '#components/primitives/confirm-dialog.client.tsx'

type CancelSyncProps = {
  action: string
  isPaused: boolean
  /** True while another request is under way. */
  isBusy: boolean
  onConfirm: FormEventHandler<HTMLFormElement>
  /** Gets the focus when the sync ends while the dialog is open. */
  next: RefObject<HTMLButtonElement | null>
}

/** Cancels the sync after a confirmation. Without scripts the form does it at once. */
export function CancelSync({ action, isPaused, isBusy, onConfirm, next }: CancelSyncProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <form method="post" action={action} onSubmit={(event) => event.preventDefault()}>
      <ConfirmDialog
        trigger={
          <button
            type="submit"
            title="End this sync; what has arrived is kept"
            aria-disabled={isBusy}
            className={buttonClass({ look: 'quiet' })}
          >
            Cancel sync…
          </button>
        }
        title="Cancel this sync?"
        description={
          <>
            <p>It ends now. What has arrived stays; the next sync reads the rest.</p>
            <p>
              {isPaused
                ? 'It cannot be resumed after that.'
                : 'To stop for a while and keep the place, pause it instead.'}
            </p>
          </>
        }
        action={action}
        onSubmit={(event) => {
          setOpen(false)
          onConfirm(event)
        }}
        leave={isPaused ? 'Keep it paused' : 'Keep it running'}
        confirm="Cancel sync"
        isOpen={isOpen}
        onOpenChange={(isWanted) => setOpen(isWanted && !isBusy)}
        next={next}
      />
    </form>
  )
}
