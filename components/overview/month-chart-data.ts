import type { MonthTotal } from '#lib/ledger/model.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { compareDecimals, type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'

/** Verticals that are drawn as one: each of the largest by itself, all others together. */
export type Series = {
  label: string
  verticals: (string | null)[]
  /** Its color, from 1 to 6: a vertical of the contract has the same one in every currency. */
  tone: number
}

/** A series in a month. Shares of the chart's height, from its bottom. */
type Part = { series: Series; amount: DecimalText; bottomPercent: number; heightPercent: number }

export type MonthColumn = {
  /** `2026-07`, and `before 2026-07` for all that the chart has no room for. */
  month: string
  label: string
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
  /** Of all columns together: of each series, in their order, and of all lines. */
  totals: DecimalText[]
  net: DecimalText
  /** Charges stand on this line, credits hang below it. */
  zeroPercent: number
}

const MOST_SINGLE = 5
const BEFORE = 'before '

/**
 * One currency's last months, split by vertical, and those before them as one. Every line of a
 * month is in one of its parts, so they add up to its net, and all of them to that of all lines.
 * All months have one scale.
 */
export function toMonthChart(
  months: MonthTotal[],
  currency: string,
  mostMonths: number,
  isSplit = true,
): MonthChartData {
  const ofCurrency = months.filter((total) => total.currency === currency)
  const known = [...new Set(ofCurrency.map((total) => total.month))].sort()
  const recent = known.slice(-mostMonths)
  const earlier = `${BEFORE}${recent[0]}`
  const shown = known.length > recent.length ? [earlier, ...recent] : recent
  const totals = ofCurrency.map((total) => (recent.includes(total.month) ? total : { ...total, month: earlier }))
  const series = isSplit ? toSeries(totals) : [{ label: 'all lines', verticals: [null], tone: 1 }]
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
    totals: sumParts(series, totals).map(({ amount }) => amount),
    net: sumDecimals(totals.map(({ totalAmount }) => totalAmount)),
    columns: amounts.map(({ month, net, parts }) => ({
      month,
      label: toLabel(month),
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
  return giveTones([
    ...single.map((vertical) => ({ label: vertical ?? 'no vertical', verticals: [vertical] })),
    ...(others.length > 1 ? [{ label: `${others.length} others`, verticals: others }] : []),
  ])
}

/** Verticals of the contract (invoice lines), each with its color; the rest share others. */
const TONES: Record<string, number> = { flight: 1, hotel: 2, train: 3, car: 4, insurance: 5 }

function giveTones(series: Omit<Series, 'tone'>[]): Series[] {
  const given = series.map(({ label }) => TONES[label])
  const free = [6, 5, 4, 3, 2, 1].filter((tone) => !given.includes(tone))
  return series.map((each, at) => ({ ...each, tone: given[at] ?? free.shift() ?? 6 }))
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

/** `Nov 26`: twelve of them stand side by side. */
function toLabel(month: string): string {
  return month.startsWith(BEFORE) ? 'Earlier' : formatMonth(month).replace(/ ../, ' ')
}
