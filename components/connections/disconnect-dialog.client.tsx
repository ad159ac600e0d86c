'use client'

import { AlertDialog } from 'radix-ui'
import { buttonClass } from '../primitives/button.ts'
import { plural } from '../text/plural.ts'

type DisconnectDialogProps = {
  connectionId: string
  name: string
  /** The platform's name by configuration. */
  platform: string
  lineCount: number
  invoiceCount: number
  /** True when the address asks for it. */
  isOpenAtFirst: boolean
}

/** What disconnecting means, what becomes of the data, and then the button. A plain form: the page follows what happens. */
export function DisconnectDialog({
  connectionId,
  name,
  platform,
  lineCount,
  invoiceCount,
  isOpenAtFirst,
}: DisconnectDialogProps) {
  return (
    <AlertDialog.Root defaultOpen={isOpenAtFirst}>
      <AlertDialog.Trigger className={buttonClass()}>Disconnect…</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[var(--shade)]" />
        <AlertDialog.Content className="-translate-x-1/2 fixed top-[10vh] left-1/2 z-50 max-h-[84vh] w-[min(520px,calc(100vw-32px))] overflow-y-auto rounded-xl border border-line2 bg-bg p-5 shadow-[0_12px_40px_var(--lift)] focus:outline-none">
          <AlertDialog.Title className="font-semibold text-[16px]">
            Disconnect <bdi>{name}</bdi>?
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 flex flex-col gap-2 text-[13px] text-ink2">
              <p>
                This disables the customer’s integration on {platform}.{' '}
                <strong className="font-medium text-ink">
                  Only the customer can enable it again, in the marketplace of {platform}.
                </strong>
              </p>
              <p>
                Nothing is read from the account from now on, and its tokens are destroyed. Its history stays on this
                page.
              </p>
            </div>
          </AlertDialog.Description>
          <form method="post" action={`/api/connections/${connectionId}/disconnect`} className="mt-4">
            <fieldset className="flex flex-col gap-2.5 border-y py-3 text-[13px]">
              <legend className="sr-only">What becomes of the data</legend>
              <label className="flex gap-2.5">
                <input type="radio" name="data" value="keep" defaultChecked className="mt-[3px] accent-accent" />
                <span>
                  <span className="font-medium">Keep the data.</span>{' '}
                  <span className="text-ink2">
                    {plural(invoiceCount, 'invoice')} and {plural(lineCount, 'line')} stay as they are, and count in
                    every total.
                  </span>
                </span>
              </label>
              <label className="flex gap-2.5">
                <input type="radio" name="data" value="delete" className="mt-[3px] accent-accent" />
                <span>
                  <span className="font-medium">Delete the data.</span>{' '}
                  <span className="text-ink2">
                    {plural(invoiceCount, 'invoice')}, {plural(lineCount, 'line')} and everything else that was read are
                    deleted here once the link has ended. This cannot be undone.
                  </span>
                </span>
              </label>
            </fieldset>
            <div className="mt-4 flex justify-end gap-2">
              <AlertDialog.Cancel className={buttonClass()} type="button">
                Cancel
              </AlertDialog.Cancel>
              <button type="submit" className={buttonClass({ look: 'primary' })}>
                Disconnect account
              </button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
