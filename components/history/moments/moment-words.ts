import { describeDays } from '#components/filters/filter-scope.ts'
import { describePeriod } from '#components/period/period-words.ts'
import type { LineThen } from '#lib/ledger/model.ts'
import type { MomentScope } from '#lib/ledger/query/moments/moment-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { formatMoment } from '#lib/reconcile/moment.ts'
import type { MomentPart } from '#lib/reconcile/moments/moment-bridge.ts'
import { findPeriod } from '#lib/reconcile/period.ts'

/** What a part is called, and what its lines are. */
export const PART_WORDS: Record<MomentPart, { name: string; lines: string }> = {
  new: { name: 'New', lines: 'Lines that came' },
  credited: { name: 'Credited', lines: 'Lines below zero that came' },
  changed: { name: 'Changed', lines: 'Lines of which the platform states another total' },
  gone: { name: 'Gone', lines: 'Lines that the platform no longer has' },
  back: { name: 'Back', lines: 'Lines that the platform has again' },
  moved: { name: 'Moved', lines: 'Lines that entered or left what this is of' },
  proved: { name: 'Re-proved', lines: 'Lines of the same money, of which the proof says something else' },
}

/** A moment in the reader's words; null is now. */
export function describeMoment(at: string | null): string {
  return at === null ? 'Now' : formatMoment(at)
}

type Names = Record<'connections' | 'profiles' | 'trips', ReadonlyMap<string, string>>

/** What a bridge is of, in words, each with its kind. */
export function describeMomentScope(scope: MomentScope, names: Names): string[] {
  const { connections, profiles, costCenters, trips, from, to, dateField } = scope
  const period = findPeriod(from, to)
  const days = period === null ? describeDays(from, to) : describePeriod(period)
  const each = (kind: string, values: readonly string[], none: string) =>
    values.length === 0 ? [] : [`${kind} ${values.map((value) => value || none).join(' or ')}`]
  const toNames = (ids: readonly string[], known: ReadonlyMap<string, string>) => ids.map((id) => known.get(id) ?? id)
  return [
    ...each('Account', toNames(connections, names.connections), 'none'),
    ...each('Profile', toNames(profiles, names.profiles), 'unknown'),
    ...each('Cost center', costCenters, 'none'),
    ...each('Trip', toNames(trips, names.trips), 'none'),
    ...(days === null ? [] : [`${dateField === 'issued' ? 'issued' : 'spent'} ${days}`]),
  ]
}

/** What a line that moved was under, and is: `cost center 4100 → 4200`. */
export function describeMove(before: LineThen, after: LineThen, names: Names['profiles']): string {
  const moves = [
    toMove('cost center', before.costCenter, after.costCenter),
    toMove('trip', before.tripId, after.tripId),
    toMove('profile', toName(before.profileId, names), toName(after.profileId, names)),
    toMove('issued', toDayText(before.issuingDate), toDayText(after.issuingDate)),
    toMove('spent', toDayText(before.expenseDate), toDayText(after.expenseDate)),
  ]
  return moves.filter((move) => move !== null).join(' · ')
}

const toName = (id: string | null, names: Names['profiles']) => (id === null ? null : (names.get(id) ?? id))
const toDayText = (day: Day | null) => (day === null ? null : formatDay(day))

function toMove(kind: string, before: string | null, after: string | null): string | null {
  return before === after ? null : `${kind} ${before ?? 'none'} → ${after ?? 'none'}`
}

/** What the proof said of a line, and says: `total off → ties out`. */
export function describeProof(before: LineThen, after: LineThen): string {
  return `${toProofWords(before)} → ${toProofWords(after)}`
}

function toProofWords({ findingCodes, explainedCodes }: LineThen): string {
  if (findingCodes === null || findingCodes.length === 0) return 'no finding'
  return findingCodes.map((code) => `${code} off${explainedCodes?.includes(code) ? ', explained' : ''}`).join(' and ')
}
