import { type Day, dayOf } from '#lib/reconcile/day.ts'
import type { SyncKind, WindowScope } from '../model.ts'

/**
 * The platform returns nothing issued earlier (assumption 21); if it does, it is read all the same.
 */
const FIRST_MONTH = monthNumber('2019-01-01')

type Range = Pick<WindowScope, 'issuedFrom' | 'issuedUpto'>

/**
 * Two parts of a range of issuing days, cut between two months, newer part first; null if the range
 * lies within a month. Open ends stay open, so no day falls outside. `today` only serves to tell
 * whether a range without an upper end has a month to cut at.
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
 * The month after `first`, up to `last`, whose number has the most factors of two. That is near the
 * middle, and stays the same as `last` advances: a month later the list is cut at the same place,
 * and its older parts come again unchanged.
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
 * The day `days` before `now`, in UTC. Far to the east it may be a day later; the look-back window
 * absorbs that.
 */
export function daysBefore(now: Date, days: number): Day {
  return dayOf(now.getTime() - days * 86_400_000)
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
