import type { MonthTotal } from '#lib/ledger/model.ts'
import { type Day, parseDay } from '#lib/reconcile/day.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { compareDecimals, type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'

/** Verticals that are drawn as one: each of the largest by itself, all others together. */
export type Series = { label: string; verticals: (string | null)[] }

/** A series in a month. Shares of the chart's height, from its bottom. */
type Part = { series: Series; amount: DecimalText; bottomPercent: number; heightPercent: number }

export type MonthColumn = {
  month: string
  label: string
  from: Day
  to: Day
  /** All lines of the month: charges and credits. */
  net: DecimalText
  netPercent: number
  hasCredits: boolean
  /** Where its highest bar ends. */
  topPercent: number
  /** In the order of the series; those without lines in this month are left out. */
  parts: Part[]
}

export type MonthChartData = {
  series: Series[]
  columns: MonthColumn[]
  /** Charges stand on this line, credits hang below it. */
  zeroPercent: number
}

const MOST_SINGLE = 5

/**
 * One currency's last months, split by vertical. Every line of a month is in one of its parts, so
 * they add up to its net. All months have one scale.
 */
export function toMonthChart(months: MonthTotal[], currency: string, mostMonths: number): MonthChartData {
  const ofCurrency = months.filter((total) => total.currency === currency)
  const shown = [...new Set(ofCurrency.map((total) => total.month))].sort().slice(-mostMonths)
  const totals = ofCurrency.filter(({ month }) => shown.includes(month))
  const series = toSeries(totals)
  const amounts = shown.map((month) => {
    const ofMonth = totals.filter((total) => total.month === month)
    return { month, net: sumDecimals(ofMonth.map(({ totalAmount }) => totalAmount)), parts: sumParts(series, ofMonth) }
  })
  const highest = Math.max(0, ...amounts.map(({ parts }) => sumOneSide(parts, 1)))
  const lowest = Math.max(0, ...amounts.map(({ parts }) => sumOneSide(parts, -1)))
  const toPercent = (size: number) => (highest + lowest === 0 ? 0 : (size / (highest + lowest)) * 100)
  const zeroPercent = toPercent(lowest)
  return {
    series,
    zeroPercent,
    columns: amounts.map(({ month, net, parts }) => ({
      ...toMonth(month),
      net,
      hasCredits: parts.some(isCredit),
      netPercent: zeroPercent + toPercent(Number(net)),
      topPercent: zeroPercent + toPercent(sumOneSide(parts, 1)),
      parts: stack(parts, zeroPercent, toPercent),
    })),
  }
}

type Sum = { series: Series; amount: DecimalText }

/** The verticals with the largest amounts, whatever their sign; one more stands for itself too. */
function toSeries(totals: readonly MonthTotal[]): Series[] {
  const sizes = new Map<string | null, number>()
  for (const { relatedVertical, totalAmount } of totals)
    sizes.set(relatedVertical, (sizes.get(relatedVertical) ?? 0) + Math.abs(Number(totalAmount)))
  const sorted = [...sizes].sort(([, a], [, b]) => b - a).map(([vertical]) => vertical)
  const others = sorted.slice(MOST_SINGLE)
  const single = others.length > 1 ? sorted.slice(0, MOST_SINGLE) : sorted
  return [
    ...single.map((vertical) => ({ label: vertical ?? 'no vertical', verticals: [vertical] })),
    ...(others.length > 1 ? [{ label: `${others.length} others`, verticals: others }] : []),
  ]
}

function sumParts(series: readonly Series[], totals: readonly MonthTotal[]): Sum[] {
  return series.flatMap((each) => {
    const own = totals.filter(({ relatedVertical }) => each.verticals.includes(relatedVertical))
    return own.length === 0 ? [] : { series: each, amount: sumDecimals(own.map(({ totalAmount }) => totalAmount)) }
  })
}

function stack(parts: readonly Sum[], zeroPercent: number, toPercent: (size: number) => number): Part[] {
  let [above, below] = [zeroPercent, zeroPercent]
  return parts.map((part) => {
    const heightPercent = toPercent(Math.abs(Number(part.amount)))
    if (isCredit(part)) {
      below -= heightPercent
      return { ...part, bottomPercent: below, heightPercent }
    }
    above += heightPercent
    return { ...part, bottomPercent: above - heightPercent, heightPercent }
  })
}

/** For drawing only: a bar needs no exact figure. */
function sumOneSide(parts: readonly Sum[], sign: 1 | -1): number {
  return parts.filter((part) => isCredit(part) === sign < 0).reduce((sum, { amount }) => sum + sign * Number(amount), 0)
}

function isCredit({ amount }: Sum): boolean {
  return compareDecimals(amount, '0' as DecimalText) < 0
}

function toMonth(month: string): Pick<MonthColumn, 'month' | 'label' | 'from' | 'to'> {
  const [year = '', number = ''] = month.split('-')
  return {
    month,
    // `Nov 26`: twelve of them stand side by side
    label: formatMonth(month).replace(/ ../, ' '),
    from: toDay(`${month}-01`),
    to: toDay(new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10)),
  }
}

function toDay(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw new RangeError(`No day: ${text}`)
  return day
}
