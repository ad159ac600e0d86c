import { PageHeader } from '#components/frame/page-header.tsx'
import { type OverviewView, toOverviewAddress } from '#components/overview/overview-view.ts'
import { PeriodPicker } from '#components/period/period-picker.tsx'
import { Freshness } from '#components/text/freshness.tsx'
import { plural } from '#components/text/plural.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { Overview } from '#lib/ledger/model.ts'
import { dayOf } from '#lib/reconcile/day.ts'

type OverviewHeaderProps = {
  view: OverviewView
  overview: Overview
  connections: ConnectionSummary[]
  now: number
  fiscalMonth: number
}

/** How much is held of how many accounts, and the period of the tie-out. */
export function OverviewHeader({ view, overview, connections, now, fiscalMonth }: OverviewHeaderProps) {
  if (connections.length === 0) return <PageHeader title="Overview" scope="No account connected yet" />
  return (
    <PageHeader
      title="Overview"
      scope={
        <>
          {plural(connections.length, 'account')} · {plural(overview.invoiceCount, 'invoice')} ·{' '}
          {plural(overview.lineCount, 'line')}
          <Freshness syncedAt={connections.map((connection) => connection.lastGoodSyncAt)} now={now} />
        </>
      }
      actions={
        <PeriodPicker
          period={view.period}
          isOther={false}
          toHref={(period) => toOverviewAddress({ ...view, period })}
          today={dayOf(now)}
          fiscalMonth={fiscalMonth}
        />
      }
    />
  )
}
