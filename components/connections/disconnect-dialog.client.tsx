'use client'

import { buttonClass } from '#components/primitives/button.ts'
import { ConfirmDialog } from '#components/primitives/confirm-dialog.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ConnectionId } from '#lib/ids.ts'

type DisconnectDialogProps = {
  connectionId: ConnectionId
  name: string
  /** The configured name of the platform. */
  platform: string
  lineCount: number
  invoiceCount: number
  isOpenAtFirst: boolean
}

/**
 * Explains disconnecting, asks what happens to the data, then offers the button. A plain form; the
 * page follows the progress.
 */
export function DisconnectDialog({
  connectionId,
  name,
  platform,
  lineCount,
  invoiceCount,
  isOpenAtFirst,
}: DisconnectDialogProps) {
  return (
    <ConfirmDialog
      trigger={
        <button type="button" className={buttonClass()}>
          Disconnect…
        </button>
      }
      title={
        <>
          Disconnect <bdi>{name}</bdi>?
        </>
      }
      description={
        <>
          <p>
            This disables the customer’s integration on {platform}.{' '}
            <strong className="font-medium text-ink">
              Only the customer can enable it again, in the marketplace of {platform}.
            </strong>
          </p>
          <p>
            Nothing is read from the account from now on. Its tokens and its SCIM API key are destroyed. Its history
            stays on this page.
          </p>
        </>
      }
      action={`/api/connections/${connectionId}/disconnect`}
      leave="Cancel"
      confirm="Disconnect account"
      isOpenAtFirst={isOpenAtFirst}
    >
      <fieldset className="flex flex-col gap-2.5 border-y py-3 text-[13px]">
        <legend className="sr-only">What happens to the data</legend>
        <label className="flex gap-2.5">
          <input type="radio" name="data" value="keep" defaultChecked className="mt-[3px] accent-accent" />
          <span>
            <span className="font-medium">Keep the data.</span>{' '}
            <span className="text-ink2">
              {plural(invoiceCount, 'invoice')} and {plural(lineCount, 'line')} stay as they are and count in every
              total.
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
    </ConfirmDialog>
  )
}
