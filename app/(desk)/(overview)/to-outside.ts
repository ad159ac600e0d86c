import { describeOutside } from '#components/overview/outside.ts'
import { describeTime, type OverviewView } from '#components/overview/overview-view.ts'
import { ALL_TIME } from '#components/scope/scope.ts'
import type { Overview } from '#lib/ledger/model.ts'
import { isEverything } from '#lib/ledger/query/ledger-scope.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'

/** What needs attention and is not on the page; null when everything is on it. */
export function toOutside(view: OverviewView, overview: Overview, { tieOut, scoped }: Proofs) {
  const { connections, profiles, currencies } = view.scope
  if (isEverything(view.scope)) return null
  const isOfTime = connections.length + profiles.length + currencies.length === 0
  return {
    name: (isOfTime && describeTime(view)) || 'what is chosen above',
    parts: describeOutside({ ...overview.all, tieOut }, { ...overview, tieOut: scoped }),
    href: `/?period=${ALL_TIME}`,
  }
}
