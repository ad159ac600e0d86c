import { Amount } from '#components/figures/amount.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { DecidedLoss, MassLoss } from '#lib/sync/model.ts'

type HeldLossProps = { connectionId: ConnectionId; loss: MassLoss; canDecide: boolean; now: number }

const WAYS = [
  { decision: 'rejected', label: 'Keep everything' },
  { decision: 'accepted', label: 'Mark as missing' },
]

/** Many records are missing on the platform: the figures, and the admin's two choices. */
export function HeldLoss({ connectionId, loss, canDecide, now }: HeldLossProps) {
  return (
    <Banner tone="warn" className="border-t">
      <p>
        <strong className="font-medium">
          {toCounts(loss.missingLines, loss.missingInvoices)} are no longer on the platform
        </strong>
        , out of {toCounts(loss.lineCount, loss.invoiceCount)}. Found <RelativeTime at={loss.foundAt} now={now} />. So
        many at once may mean an outage, so nothing was changed.
      </p>
      <LossTotals loss={loss} />
      <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-ink2 max-md:grid-cols-1">
        <dt className="font-medium text-ink">Keep everything</dt>
        <dd className="max-md:mb-1">
          Everything stays in lists, totals and exports; the next complete verification checks again.
        </dd>
        <dt className="font-medium text-ink">Mark as missing</dt>
        <dd>
          The records stay stored, but lists, totals and exports leave them out; those that come back count again.
        </dd>
      </dl>
      {canDecide ? (
        <div className="mt-2 flex flex-wrap gap-2">
          {WAYS.map(({ decision, label }) => (
            <form key={decision} method="post" action={`/api/connections/${connectionId}/sync/loss`}>
              <input type="hidden" name="runId" value={loss.runId} />
              <input type="hidden" name="decision" value={decision} />
              <button type="submit" className={buttonClass()}>
                {label}
              </button>
            </form>
          ))}
        </div>
      ) : (
        <p className="mt-1.5">An admin must decide.</p>
      )}
    </Banner>
  )
}

/** What an admin decided about a held loss, and what that means. */
export function DecidedLossNote({ loss, now }: { loss: DecidedLoss; now: number }) {
  const isKept = loss.decision === 'rejected'
  return (
    <Banner tone="plain" className="border-t">
      <p id="loss">
        <bdi className="font-medium">{loss.decidedBy ?? 'An admin'}</bdi>{' '}
        {isKept ? 'kept everything' : `marked ${toCounts(loss.linesMarked, loss.invoicesMarked)} as missing`}{' '}
        <RelativeTime at={loss.decidedAt} now={now} />.{' '}
        {isKept
          ? `${toCounts(loss.missingLines, loss.missingInvoices)} that the platform did not list stay in lists, totals and exports; the next complete verification checks again.`
          : 'They stay stored, but lists, totals and exports leave them out; those that come back count again.'}
      </p>
      <LossTotals loss={loss} />
    </Banner>
  )
}

function LossTotals({ loss }: { loss: MassLoss }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 tabular-nums">
      {loss.totals.map((total) => (
        <li key={total.currency}>
          <Amount amount={total.totalAmount} currency={total.currency} withCode />{' '}
          <span className="text-ink2">in {plural(total.lineCount, 'line')}</span>
        </li>
      ))}
    </ul>
  )
}

function toCounts(lines: number, invoices: number): string {
  return `${plural(lines, 'line')} and ${plural(invoices, 'invoice')}`
}
