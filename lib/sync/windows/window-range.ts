import type { Day } from '#lib/reconcile/day.ts'
import type { SyncKind, WindowScope } from '../model.ts'

/**
 * The platform returns nothing that was issued earlier (assumption 21); what it does return is read
 * all the same.
 */
const FIRST_MONTH = monthNumber('2019-01-01')

type Range = Pick<WindowScope, 'issuedFrom' | 'issuedUpto'>

/**
 * Two parts of a range of issuing days, cut between two months, newer part first; null when the
 * range lies within a month. Open ends stay open, so that no day falls outside. `today` bounds an
 * open upper end only to see whether there is a month to cut at.
 */
export function halveRange({ issuedFrom, issuedUpto }: Range, today: string): [newer: Range, older: Range] | null {
  const first = issuedFrom === null ? FIRST_MONTH : monthNumber(issuedFrom)
  const last = monthNumber(issuedUpto ?? today)
  if (last <= first) return null
  const middle = findCut(first, last)
  return [
    { issuedFrom: firstDay(middle), issuedUpto },
    { issuedFrom, issuedUpto: dayBefore(firstDay(middle)) },
  ]
}

/**
 * The month after `first`, up to `last`, whose number has the most factors of two: about the
 * middle, and the same one whatever the ends are, so that a list is cut as it was cut when a month
 * has gone by, and its older parts come again as they were.
 */
function findCut(first: number, last: number): number {
  for (let step = 2 ** 15; step > 1; step /= 2) {
    const month = Math.floor(last / step) * step
    if (month > first) return month
  }
  return last
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

/**
 * The day `days` before `now`, in UTC: an account far to the east may be a day ahead, which the
 * look-back window absorbs.
 */
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
