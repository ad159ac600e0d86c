import { Money } from '#components/figures/money.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { AcceptedLoss, DecidedLoss, MassLoss } from '#lib/sync/model.ts'
import { KeepEverything } from './keep-everything.tsx'
import { toLossCounts } from './loss-words.ts'
import { TakeBack } from './take-back.client.tsx'

type HeldLossProps = { connectionId: ConnectionId; loss: MassLoss; canDecide: boolean; now: number }

/** Many records are missing on the platform: the figures, and the admin's two choices. */
export function HeldLoss({ connectionId, loss, canDecide, now }: HeldLossProps) {
  return (
    <Banner tone="warn" className="border-t">
      <p>
        <strong className="font-medium">
          {toLossCounts(loss.missingLines, loss.missingInvoices)} are no longer on the platform
        </strong>
        , out of {toLossCounts(loss.lineCount, loss.invoiceCount)}. Found <RelativeTime at={loss.foundAt} now={now} />.
        So many at once may mean an outage, so nothing was changed.
      </p>
      <LossTotals totals={loss.totals} />
      <p className="mt-1 text-ink2">
        Kept, everything stays in lists, totals and exports, and the next full check looks again.
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {canDecide && <KeepEverything connectionId={connectionId} runId={loss.runId} />}
        <Link href={`/connections/${connectionId}/loss`} className={buttonClass()}>
          {canDecide ? `Accept removal of ${toShortCounts(loss)}…` : 'See what would be removed'}
        </Link>
        {!canDecide && <span>An admin must decide.</span>}
      </div>
    </Banner>
  )
}

/** What an admin decided about a held loss, and what that means. */
export function DecidedLossNote({ loss, now }: { loss: DecidedLoss; now: number }) {
  const { takenBack } = loss
  if (takenBack !== null)
    return (
      <Banner tone="plain" className="border-t">
        <p id="loss">
          <bdi className="font-medium">{takenBack.by ?? 'An admin'}</bdi> took the accepted removal back{' '}
          <RelativeTime at={takenBack.at} now={now} />: {toLossCounts(takenBack.lineCount, takenBack.invoiceCount)}{' '}
          count again; the next full check looks again.
        </p>
      </Banner>
    )
  if (loss.decision === 'accepted') return null
  return (
    <Banner tone="plain" className="border-t">
      <p id="loss">
        <bdi className="font-medium">{loss.decidedBy ?? 'An admin'}</bdi> kept everything{' '}
        <RelativeTime at={loss.decidedAt} now={now} />. {toLossCounts(loss.missingLines, loss.missingInvoices)} that the
        platform did not list stay in lists, totals and exports; the next full check looks again.
      </p>
      <LossTotals totals={loss.totals} />
    </Banner>
  )
}

type AcceptedLossNoteProps = { connectionId: ConnectionId; loss: AcceptedLoss; canDecide: boolean; now: number }

/** An accepted loss for as long as it can be taken back. */
export function AcceptedLossNote({ connectionId, loss, canDecide, now }: AcceptedLossNoteProps) {
  const counts = toLossCounts(loss.lineCount, loss.invoiceCount)
  const until = formatDayOf(loss.until)
  return (
    <Banner tone="plain" className="border-t">
      <p id="loss">
        <bdi className="font-medium">{loss.decidedBy ?? 'An admin'}</bdi> accepted the removal of {counts}{' '}
        <RelativeTime at={loss.decidedAt} now={now} />. They stay stored, but lists, totals and exports leave them out;
        those that come back on the platform count again by themselves.
      </p>
      <LossTotals totals={loss.totals} />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {canDecide && <TakeBack connectionId={connectionId} runId={loss.runId} counts={counts} totals={loss.totals} />}
        <span className="text-ink2">Can be taken back until {until}.</span>
      </div>
    </Banner>
  )
}

function LossTotals({ totals }: { totals: MassLoss['totals'] }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 tabular-nums">
      {totals.map(({ currency, totalAmount, lineCount }) => (
        <li key={currency}>
          <Money amount={totalAmount} currency={currency} />{' '}
          <span className="text-ink2">in {plural(lineCount, 'line')}</span>
        </li>
      ))}
    </ul>
  )
}

function toShortCounts({ missingLines, missingInvoices }: MassLoss): string {
  return missingLines > 0 ? plural(missingLines, 'line') : plural(missingInvoices, 'invoice')
}
