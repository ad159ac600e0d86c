import { toAccountName } from '#components/connections/connection-state.ts'
import { describePeriod, type OverviewView } from '#components/overview/overview-view.ts'
import { ScopePicker } from '#components/overview/scope-picker.tsx'
import { TieOutTable } from '#components/tie-out/tie-out-table.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { periodBefore } from '#lib/reconcile/period.ts'

type TieOutSectionProps = { view: OverviewView; proofs: Proofs; connections: ConnectionSummary[]; now: number }

/** The tie-out of the period and account that the address names, and the choice between them. */
export function TieOutSection({ view, proofs, connections, now }: TieOutSectionProps) {
  const { period, connectionId } = view
  const accounts = connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))
  const before =
    period === null || proofs.before === null
      ? null
      : { name: describePeriod(periodBefore(period)), totals: proofs.before }
  return (
    <>
      <ScopePicker view={view} accounts={accounts} today={dayOf(now)} />
      <TieOutTable
        tieOut={proofs.scoped}
        filters={{
          connections: connectionId === null ? [] : [connectionId],
          from: period?.from ?? null,
          to: period?.to ?? null,
        }}
        before={before}
      />
    </>
  )
}
