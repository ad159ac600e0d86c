import { toAccountName } from '#components/connections/connection-state.ts'
import { AccountPicker } from '#components/overview/account-picker.tsx'
import type { OverviewView } from '#components/overview/overview-view.ts'
import { describePeriod } from '#components/period/period-words.ts'
import { TieOutTable } from '#components/tie-out/tie-out-table.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'
import { periodBefore } from '#lib/reconcile/period.ts'

type TieOutSectionProps = { view: OverviewView; proofs: Proofs; connections: ConnectionSummary[] }

/** The tie-out of the period and account that the address names, and the choice between them. */
export function TieOutSection({ view, proofs, connections }: TieOutSectionProps) {
  const { period, connectionId, profileId } = view
  const accounts = connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))
  const before =
    period === null || proofs.before === null
      ? null
      : { name: describePeriod(periodBefore(period)), totals: proofs.before }
  return (
    <>
      <AccountPicker view={view} accounts={accounts} profiles={proofs.profiles} />
      <TieOutTable
        tieOut={proofs.scoped}
        filters={{
          connections: connectionId === null ? [] : [connectionId],
          profiles: profileId === null ? [] : [profileId],
          from: period?.from ?? null,
          to: period?.to ?? null,
        }}
        before={before}
      />
    </>
  )
}
