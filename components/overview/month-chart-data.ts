import type { MonthTotal } from '#lib/ledger/model.ts'
import { type Day, parseDay } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

type Segment = { vertical: string | null; amount: DecimalText; heightPercent: number }
export type MonthColumn = { month: string; label: string; from: Day; to: Day; segments: Segment[] }

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** One currency's last months, split by vertical. Heights are shares of the tallest month. */
export function toMonthColumns(months: MonthTotal[], currency: string, mostMonths: number): MonthColumn[] {
  const ofCurrency = months.filter((total) => total.currency === currency)
  const shown = [...new Set(ofCurrency.map((total) => total.month))].sort().slice(-mostMonths)
  const tallest = Math.max(...shown.map((month) => heightOf(ofCurrency.filter((total) => total.month === month))), 0)
  return shown.map((month) => {
    const [year = '', number = ''] = month.split('-')
    return {
      month,
      label: `${MONTHS[Number(number) - 1]} ${year.slice(2)}`,
      from: toDay(`${month}-01`),
      to: lastDay(Number(year), Number(number)),
      segments: ofCurrency
        .filter((total) => total.month === month)
        .map((total) => ({
          vertical: total.relatedVertical,
          amount: total.totalAmount,
          heightPercent: tallest === 0 ? 0 : (toHeight(total.totalAmount) / tallest) * 100,
        })),
    }
  })
}

/** The chart's verticals, largest sum first, the unknown one last. */
export function listVerticals(columns: MonthColumn[]): (string | null)[] {
  const heights = new Map<string | null, number>()
  for (const { segments } of columns)
    for (const { vertical, heightPercent } of segments)
      heights.set(vertical, (heights.get(vertical) ?? 0) + heightPercent)
  return [...heights.keys()].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : (heights.get(b) ?? 0) - (heights.get(a) ?? 0),
  )
}

function heightOf(totals: MonthTotal[]): number {
  return totals.reduce((sum, total) => sum + toHeight(total.totalAmount), 0)
}

/**
 * For drawing only: a bar needs no exact figure. A negative amount gets no bar; the table has its
 * figure.
 */
function toHeight(amount: DecimalText): number {
  return Math.max(0, Number(amount))
}

function lastDay(year: number, month: number): Day {
  return toDay(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10))
}

function toDay(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw new RangeError(`No day: ${text}`)
  return day
}
