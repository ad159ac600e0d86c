'use client'

import { MoneyList } from '#components/figures/money.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { ConfirmDialog } from '#components/primitives/confirm-dialog.client.tsx'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { AcceptedLoss } from '#lib/sync/model.ts'

type TakeBackProps = { connectionId: ConnectionId; runId: RunId; counts: string; totals: AcceptedLoss['totals'] }

/** Says what would count again, then takes an accepted loss back. */
export function TakeBack({ connectionId, runId, counts, totals }: TakeBackProps) {
  return (
    <ConfirmDialog
      trigger={
        <button type="button" className={buttonClass()}>
          Take back…
        </button>
      }
      title="Take the accepted removal back?"
      description={
        <>
          <p>
            {counts} count again in lists, totals and exports, as they were:{' '}
            <MoneyList sums={totals.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />.
          </p>
          <p>The next full check looks again, and asks if they are still gone from the platform.</p>
        </>
      }
      action={`/api/connections/${connectionId}/sync/loss`}
      leave="Leave it accepted"
      confirm="Take back"
    >
      <input type="hidden" name="runId" value={runId} />
      <input type="hidden" name="decision" value="taken-back" />
    </ConfirmDialog>
  )
}
