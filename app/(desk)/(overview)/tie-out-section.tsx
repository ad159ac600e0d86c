import type { OverviewView } from '#components/overview/overview-view.ts'
import { isOfLinesOnly } from '#components/overview/overview-view.ts'
import { describePeriod } from '#components/period/period-words.ts'
import { ScopeLines } from '#components/tie-out/scope-lines.tsx'
import { TieOutTable } from '#components/tie-out/tie-out-table.tsx'
import type { Overview } from '#lib/ledger/model.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'
import { periodBefore } from '#lib/reconcile/period.ts'

type TieOutSectionProps = { view: OverviewView; proofs: Proofs; overview: Overview }

/** The tie-out of the scope; its lines alone, where the scope is one of days of expense. */
export function TieOutSection({ view: { scope, period }, proofs, overview }: TieOutSectionProps) {
  if (isOfLinesOnly(scope)) return <ScopeLines totals={overview.currencies} scope={scope} />
  const before =
    period === null || proofs.before === null
      ? null
      : { name: describePeriod(periodBefore(period)), totals: proofs.before }
  return <TieOutTable tieOut={proofs.scoped.currencies} scope={scope} before={before} />
}
