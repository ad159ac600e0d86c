import type { RunProgress } from '../../lib/connections/model.ts'
import type { MassLoss } from '../../lib/sync/model.ts'
import { Amount } from '../figures/amount.tsx'
import { Banner } from '../primitives/banner.tsx'
import { buttonClass } from '../primitives/button.ts'
import { plural } from '../text/plural.ts'

type SyncControlsProps = { connectionId: string; run: RunProgress | null }

/** Pause, resume and cancel a sync: plain forms, of which only those that apply are there. */
export function SyncControls({ connectionId, run }: SyncControlsProps) {
  const status = run?.status
  const wishes = [
    ...(status === 'queued' || status === 'running' ? [{ name: 'pause', label: 'Pause' }] : []),
    ...(status === 'paused' ? [{ name: 'resume', label: 'Resume' }] : []),
    ...(status === 'queued' || status === 'running' || status === 'paused'
      ? [{ name: 'cancel', label: 'Cancel sync' }]
      : []),
  ]
  return wishes.map(({ name, label }) => (
    <form key={name} method="post" action={`/api/connections/${connectionId}/sync/${name}`}>
      <button type="submit" className={buttonClass()}>
        {label}
      </button>
    </form>
  ))
}

type HeldLossProps = { connectionId: string; loss: MassLoss; canDecide: boolean }

/** Much that was there is not on the platform any more: the figures, and an admin's two ways on. */
export function HeldLoss({ connectionId, loss, canDecide }: HeldLossProps) {
  const ways = [
    { decision: 'rejected', label: 'Keep everything' },
    { decision: 'accepted', label: 'Mark as missing' },
  ]
  return (
    <Banner tone="warn" className="border-t">
      <p>
        <strong className="font-medium">
          {plural(loss.missingLines, 'line')} of {plural(loss.lineCount, 'line')} and{' '}
          {plural(loss.missingInvoices, 'invoice')} of {plural(loss.invoiceCount, 'invoice')} are not on the platform
          any more.
        </strong>{' '}
        So much at once may be an outage, so nothing was changed. Keep everything, and the next complete sync looks
        again; or mark it as missing: it stays stored and is left out of the figures of completeness.
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4 tabular-nums">
        {loss.totals.map((total) => (
          <li key={total.currency}>
            {plural(total.lineCount, 'line')}, <Amount amount={total.totalAmount} currency={total.currency} withCode />
          </li>
        ))}
      </ul>
      {canDecide && (
        <div className="mt-2 flex gap-2">
          {ways.map(({ decision, label }) => (
            <form key={decision} method="post" action={`/api/connections/${connectionId}/sync/loss`}>
              <input type="hidden" name="runId" value={loss.runId} />
              <input type="hidden" name="decision" value={decision} />
              <button type="submit" className={buttonClass()}>
                {label}
              </button>
            </form>
          ))}
        </div>
      )}
    </Banner>
  )
}
