import type { Day } from '../reconcile/day.ts'
import type { SyncKind, WindowScope } from './model.ts'

/** The platform returns nothing that was issued earlier (assumption 21); what it does return is read all the same. */
const FIRST_MONTH = monthNumber('2019-01-01')

type Range = Pick<WindowScope, 'issuedFrom' | 'issuedUpto'>

/**
 * The two halves of a range of issuing days, cut between two months, newer half first; null when the range lies within a
 * month. Open ends stay open, so that no day falls outside. `today` bounds an open upper end only for finding the middle.
 */
export function halveRange({ issuedFrom, issuedUpto }: Range, today: string): [newer: Range, older: Range] | null {
  const first = issuedFrom === null ? FIRST_MONTH : monthNumber(issuedFrom)
  const last = monthNumber(issuedUpto ?? today)
  if (last <= first) return null
  const middle = first + Math.ceil((last - first) / 2)
  return [
    { issuedFrom: firstDay(middle), issuedUpto },
    { issuedFrom, issuedUpto: dayBefore(firstDay(middle)) },
  ]
}

/** The first and the last day of a day's month. */
export function monthOf(day: string): { issuedFrom: string; issuedUpto: string } {
  const month = monthNumber(day)
  return { issuedFrom: firstDay(month), issuedUpto: dayBefore(firstDay(month + 1)) }
}

export function isFirstOfMonth(day: string): boolean {
  return day.endsWith('-01')
}

export function isLastOfMonth(day: string): boolean {
  return day === monthOf(day).issuedUpto
}

/** The day `days` before `now`, in UTC: an account far to the east may be a day ahead, which the look-back window absorbs. */
export function daysBefore(now: Date, days: number): Day {
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10) as Day
}

export function dayBefore(day: string): Day {
  return daysBefore(new Date(`${day}T00:00:00Z`), 1)
}

/** Whether a run of this kind sets out to read everything. */
export function readsEverything(kind: SyncKind): boolean {
  return kind === 'backfill' || kind === 'verification'
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

function firstDay(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
}
