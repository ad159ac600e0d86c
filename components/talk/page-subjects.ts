/** What a page is about, where that is something that people talk of. Pure. */
import type { ConnectionId } from '#lib/ids.ts'
import { EVERYTHING, type LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { hasLineFilters, type LineFilters } from '#lib/ledger/query/line-query.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { findPeriod } from '#lib/reconcile/period.ts'
import type { Subject } from '#lib/talk/model.ts'

/** The keys of groups that are talked of, by the filter that narrows a list to one of them. */
const GROUPS = {
  costCenters: 'cost_center',
  verticals: 'vertical',
  services: 'service',
  taxRegimes: 'tax_regime',
} as const satisfies Partial<Record<keyof LineFilters, GroupKey>>

export type GroupSubject = { subject: Subject; key: GroupKey; value: string }

/**
 * The group that a list of lines shows; null unless its filters are one value of one key, in any
 * scope of days, accounts, profiles and currencies.
 */
export function toGroupSubject(filters: LineFilters): GroupSubject | null {
  const plain = { ...filters, ...EVERYTHING, months: [], issueMonths: [] }
  for (const name of Object.keys(GROUPS) as (keyof typeof GROUPS)[]) {
    const [value, ...others] = filters[name]
    if (!value || others.length > 0) continue
    if (hasLineFilters({ ...plain, [name]: [] })) return null
    const key = GROUPS[name]
    return { subject: { kind: 'group', connectionId: null, key: `${key}=${value}` }, key, value }
  }
  return null
}

/**
 * The period of a scope: one month of issue of one account, or of one of its profiles; null for any
 * other scope. `accounts`: all that there are.
 */
export function toPeriodSubject(scope: LedgerScope, accounts: readonly { id: ConnectionId }[]): Subject | null {
  const period = findPeriod(scope.from, scope.to)
  if (period?.kind !== 'month' || scope.dateField !== 'issued' || scope.currencies.length > 0) return null
  const asked = accounts.filter(({ id }) => scope.connections.length === 0 || scope.connections.includes(id))
  const [account] = asked
  const [profile, ...others] = scope.profiles
  if (account === undefined || asked.length > 1 || others.length > 0 || profile === '') return null
  return {
    kind: 'period',
    connectionId: account.id,
    key: profile === undefined ? period.text : `${period.text}~${profile}`,
  }
}
