'use client'

import { useState } from 'react'
import { MoneyList } from '#components/figures/money.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { ConfirmDialog } from '#components/primitives/confirm-dialog.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { LineTotal } from '#lib/ledger/model.ts'

type DisconnectDialogProps = {
  connectionId: ConnectionId
  name: string
  /** The configured name of the platform. */
  platform: string
  lineCount: number
  invoiceCount: number
  /** What its lines come to, per currency. */
  totals: LineTotal[]
  isOpenAtFirst: boolean
  /** What was typed instead of the name, so that nothing happened; null when nothing was. */
  mistyped: string | null
}

/**
 * Explains disconnecting, asks what happens to the data, then offers the button. What is deleted is
 * counted, with its money, and the account's name typed. A plain form; the page follows the
 * progress.
 */
export function DisconnectDialog({
  connectionId,
  name,
  platform,
  lineCount,
  invoiceCount,
  totals,
  isOpenAtFirst,
  mistyped,
}: DisconnectDialogProps) {
  const [isDeleting, setDeleting] = useState(mistyped !== null)
  const counts = `${plural(invoiceCount, 'invoice')} and ${plural(lineCount, 'line')}`
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
      confirm={isDeleting ? `Disconnect and delete ${plural(lineCount, 'line')}` : 'Disconnect account'}
      isOpenAtFirst={isOpenAtFirst}
    >
      <fieldset className="flex flex-col gap-2.5 border-y py-3 text-[13px]">
        <legend className="sr-only">What happens to the data</legend>
        <label className="flex gap-2.5">
          <input
            type="radio"
            name="data"
            value="keep"
            checked={!isDeleting}
            onChange={() => setDeleting(false)}
            className="mt-[3px] accent-accent"
          />
          <span>
            <span className="font-medium">Keep the data.</span>{' '}
            <span className="text-ink2">{counts} stay as they are and count in every total.</span>
          </span>
        </label>
        <label className="flex gap-2.5">
          <input
            type="radio"
            name="data"
            value="delete"
            checked={isDeleting}
            onChange={() => setDeleting(true)}
            className="mt-[3px] accent-accent"
          />
          <span>
            <span className="font-medium">Delete the data.</span>{' '}
            <span className="text-ink2">
              {counts}
              {totals.length > 0 && (
                <>
                  , <MoneyList sums={totals.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />,
                </>
              )}{' '}
              and everything else that was read are deleted here once the link has ended, and leave every total. This
              cannot be undone.
            </span>
          </span>
        </label>
        {isDeleting && (
          <label className="pl-[26px] text-[12px] text-ink2 leading-5">
            Type <bdi className="font-medium text-ink">{name}</bdi> to delete
            <input
              name="name"
              required
              autoComplete="off"
              className="field h-8 w-full"
              defaultValue={mistyped ?? ''}
              aria-invalid={mistyped !== null || undefined}
              aria-describedby={mistyped === null ? undefined : 'mistyped'}
            />
            {mistyped !== null && (
              <span id="mistyped" className="block text-bad">
                That is not the name. Nothing was disconnected.
              </span>
            )}
          </label>
        )}
      </fieldset>
    </ConfirmDialog>
  )
}
