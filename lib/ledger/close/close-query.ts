/** The address of the page that closes months. Pure. */
import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'
import { firstDayOf, type PeriodScope } from '#lib/reconcile/close/scope.ts'
import { parseRowKey, writePairs, writeRowKey } from '../query/list-place.ts'
import { type RawSearchParams, readValue } from '../query/search-params.ts'

export type CloseQuery = {
  /** The month that the panel tells of. */
  chosen: PeriodScope<ConnectionId> | null
  /** The last of the twelve months, YYYY-MM; null for the month that it is. */
  until: string | null
  /** Leaves out months of which everything is locked. */
  unlockedOnly: boolean
}

/** Never throws; what it does not understand is as if it were not there. */
export function parseCloseQuery(raw: RawSearchParams): CloseQuery {
  return {
    chosen: parseChosen(readMonth(raw, 'period'), readValue(raw, 'profile')),
    until: readMonth(raw, 'until'),
    unlockedOnly: readValue(raw, 'show') === 'unlocked',
  }
}

/** The search part of the address; `parseCloseQuery` of it is the same query. */
export function writeCloseQuery({ chosen, until, unlockedOnly }: CloseQuery): string {
  return writePairs([
    ...(until === null ? [] : ([['until', until]] satisfies [string, string][])),
    ...(unlockedOnly ? ([['show', 'unlocked']] satisfies [string, string][]) : []),
    ...(chosen === null ? [] : writeChosen(chosen)),
  ])
}

/** The months of the page: all, or those of which not everything is locked. */
export function toShownRows<Row extends { lockedCount: number; cellCount: number }>(
  rows: readonly Row[],
  { unlockedOnly }: Pick<CloseQuery, 'unlockedOnly'>,
): Row[] {
  return rows.filter(({ lockedCount, cellCount }) => !unlockedOnly || lockedCount < cellCount)
}

/** A profile by its account and its id; an account by its id. */
function writeChosen(scope: PeriodScope): [string, string][] {
  const { connectionId, month } = scope
  const of = scope.kind === 'profile_month' ? writeRowKey({ connectionId, id: scope.profileId }) : connectionId
  return [
    ['period', month],
    ['profile', of],
  ]
}

function parseChosen(month: string | null, of: string | null): PeriodScope<ConnectionId> | null {
  if (month === null || of === null) return null
  const profile = parseRowKey(of)
  if (profile !== null)
    return { kind: 'profile_month', connectionId: profile.connectionId, profileId: profile.id, month }
  const connectionId = parseConnectionId(of)
  return connectionId === null ? null : { kind: 'connection_month', connectionId, month }
}

function readMonth(raw: RawSearchParams, name: string): string | null {
  const month = readValue(raw, name)
  return month === null || firstDayOf(month) === null ? null : month
}

/** Whether two scopes are the same month of the same profile or account. */
export function isSamePeriod(one: PeriodScope | null, other: PeriodScope | null): boolean {
  return one !== null && other !== null && JSON.stringify(writeChosen(one)) === JSON.stringify(writeChosen(other))
}
