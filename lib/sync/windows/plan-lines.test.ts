import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WindowScope } from '../model.ts'
import { type DayOfLines, type DueInvoice, planLines } from './plan-lines.ts'

const PAGE_SIZE = 10
const calls = (lineCount: number) => Math.max(1, Math.ceil(lineCount / PAGE_SIZE))
const toDay = (n: number) => `2026-10-${String(n + 1).padStart(2, '0')}`

/** Some invoices on a few days, of which some have news; every third day begins a stretch. */
const account = fc
  .array(fc.record({ day: fc.nat(7), lineCount: fc.nat(35), isDue: fc.boolean(), hasDay: fc.boolean() }), {
    maxLength: 14,
  })
  .map((invoices) => {
    const all = invoices.map(({ day, lineCount, isDue, hasDay }, n) => ({
      isDue,
      invoice: { serialNumber: `INV-${n}`, issuingDate: hasDay || !isDue ? toDay(day) : null, lineCount },
    }))
    const numbers = [...new Set(invoices.map(({ day }) => day))].sort((a, b) => a - b)
    const days: DayOfLines[] = numbers.map((n) => ({
      day: toDay(n),
      stretch: n < 3 ? 1 : 2,
      lineCount: all.reduce((sum, { invoice }) => sum + (invoice.issuingDate === toDay(n) ? invoice.lineCount : 0), 0),
    }))
    return { due: all.filter(({ isDue }) => isDue).map(({ invoice }) => invoice), days }
  })

function costOf(windows: readonly WindowScope[], due: readonly DueInvoice[], days: readonly DayOfLines[]): number {
  return windows.reduce((sum, { serialNumber, issuedFrom, issuedUpto }) => {
    if (serialNumber !== null)
      return sum + calls(due.find((each) => each.serialNumber === serialNumber)?.lineCount ?? 0)
    const within = days.filter(({ day }) => day >= (issuedFrom as string) && day <= (issuedUpto as string))
    return sum + calls(within.reduce((lines, { lineCount }) => lines + lineCount, 0))
  }, 0)
}

/** The fewest calls, by trying every way to cut the days into windows. */
function fewest(due: readonly DueInvoice[], days: readonly DayOfLines[]): number {
  const dated = days.map(({ day }) => due.filter(({ issuingDate }) => issuingDate === day))
  const undated = due.filter(({ issuingDate }) => issuingDate === null)
  const alone = (invoices: readonly DueInvoice[]) => invoices.reduce((sum, { lineCount }) => sum + calls(lineCount), 0)
  const from = (at: number): number => {
    if (at === days.length) return 0
    let best = alone(dated[at] ?? []) + from(at + 1)
    let lines = 0
    for (let last = at; last < days.length && days[last]?.stretch === days[at]?.stretch; last++) {
      lines += days[last]?.lineCount ?? 0
      best = Math.min(best, calls(lines) + from(last + 1))
    }
    return best
  }
  return alone(undated) + from(0)
}

test('reads every due invoice once, at the fewest calls there are, and no day between two stretches', () => {
  fc.assert(
    fc.property(account, ({ due, days }) => {
      const windows = planLines(due, days, PAGE_SIZE)
      for (const { serialNumber, issuingDate } of due) {
        const covering = windows.filter(
          (window) =>
            window.serialNumber === serialNumber ||
            (window.serialNumber === null &&
              issuingDate !== null &&
              (window.issuedFrom as string) <= issuingDate &&
              issuingDate <= (window.issuedUpto as string)),
        )
        expect(covering).toHaveLength(1)
      }
      for (const { issuedFrom, issuedUpto } of windows) {
        const stretches = days
          .filter(({ day }) => day === issuedFrom || day === issuedUpto)
          .map(({ stretch }) => stretch)
        expect(new Set(stretches).size).toBeLessThanOrEqual(1)
      }
      expect(costOf(windows, due, days)).toBe(fewest(due, days))
    }),
    { numRuns: 300 },
  )
})

test('asks for an invoice by its number where its days would cost as much', () => {
  const due = [{ serialNumber: 'INV-1', issuingDate: toDay(0), lineCount: 10 }]
  const days = [{ day: toDay(0), lineCount: 10, stretch: 1 }]
  expect(planLines(due, days, PAGE_SIZE)).toEqual([
    { list: 'lines', issuedFrom: null, issuedUpto: null, invoiceStatus: null, serialNumber: 'INV-1' },
  ])
})
