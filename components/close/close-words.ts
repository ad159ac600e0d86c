/** What the page says of a month beside its state. */
import type { CloseCell } from '#lib/ledger/close/close-table.ts'
import type { Standing } from '#lib/ledger/close/read-standings.ts'
import { END_WORDS, type EndedSignature, type MovedMoney } from '#lib/reconcile/close/close-state.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { LastStep } from './close-text.tsx'

/** Who locked, approved or prepared it, whichever came last. */
export function toLastStep({ lock, approved, prepared }: Standing): LastStep {
  return lock ?? approved ?? prepared
}

/** `+12.40 EUR, −3.00 GBP`. */
export function writeMoved(moved: readonly MovedMoney[]): string {
  return moved
    .map(({ amount, currency }) => `${formatAmount(amount, currency, { sign: 'always' })} ${currency}`)
    .join(', ')
}

/** `approved by Ana on Mar 4, 2026, then changed by +12.40 EUR`. */
export function writeFallen({ step, name, at, cause, moved }: EndedSignature): string {
  const by = moved.length === 0 ? `: ${END_WORDS[cause]}` : ` by ${writeMoved(moved)}`
  return `${step} by ${name} on ${formatDayOf(at)}, then changed${by}`
}

/** What moved since a lock or a signature, in short; null where nothing did. */
export function toMovedText({
  stand,
  standing,
}: Pick<CloseCell, 'stand' | 'standing'>): { text: string; title: string } | null {
  if (stand.state === 'changed') {
    const [first, ...others] = standing.drifted
    const title = `since it was locked: ${writeMoved(standing.drifted) || 'no money'}`
    return { text: first === undefined ? 'no money' : toShort(first, others.length), title }
  }
  const { fallen } = stand
  if (fallen === null) return null
  const [first, ...others] = fallen.moved
  return { text: first === undefined ? 'changed' : toShort(first, others.length), title: writeFallen(fallen) }
}

function toShort({ amount, currency }: MovedMoney, others: number): string {
  return formatAmount(amount, currency, { sign: 'always' }) + (others === 0 ? '' : ` + ${others} more`)
}

/** The search part of a list's address that has the lines or invoices of a month. */
export function toPeriodSearch(scope: PeriodScope, more: readonly (readonly [string, string])[] = []): string {
  const pairs = [
    ['period', scope.month],
    ['connection', scope.connectionId],
    ...(scope.kind === 'profile_month' ? [['profile', scope.profileId]] : []),
    ...more,
  ] as [string, string][]
  return new URLSearchParams(pairs).toString()
}
