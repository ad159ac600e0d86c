import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY, type LineQuery } from '#lib/ledger/query/line-query.ts'
import { formatAmount, formatNumber } from '#lib/reconcile/format.ts'
import { type DecimalText, roundHalfAwayFromZero } from '#lib/reconcile/money.ts'
import type { MonthChartData, MonthColumn, Series } from './month-chart-data.ts'

/** A series in a month: its amount as shown, with every digit, and its bar's place and height. */
type PackedPart = [shown: ReactNode, whole: string | null, bottom: number, height: number]

type PackedMonth = {
  label: string
  /** What an address ends with that is about this month. */
  days: string
  net: ReactNode
  /** The net, short enough to stand above a bar. */
  units: string
  /** Where its highest bar ends, and where its net is marked if it has credits. */
  top: number
  mark: number | null
  /** In the order of the series; null without lines. */
  parts: (PackedPart | null)[]
}

/**
 * A chart on its way to the browser: figures instead of markup, about a hundredth of the bytes.
 * Places are percent of the chart’s height.
 */
export type PackedChart = {
  currency: string
  zero: number
  /** The list of the same lines of all months, and what it begins with for one of them. */
  all: string
  address: string
  /** The same of one series. */
  series: { label: string; tone: number; address: string; total: ReactNode }[]
  months: PackedMonth[]
  net: ReactNode
}

type Scoped = { scope: LedgerScope; monthsOf: 'expense' | 'issue'; isSplit: boolean }

/** Each figure leads to the lines of its month that are in the scope. */
export function packMonthChart(
  data: MonthChartData,
  currency: string,
  { scope, monthsOf, isSplit }: Scoped,
): PackedChart {
  const { series, columns, zeroPercent, totals, net } = data
  const toLines = (patch: Partial<LineQuery>) =>
    toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, ...scope, currencies: [currency], ...patch } })
  // months of issue take the place of the scope's days
  const ofMonths = monthsOf === 'issue' ? NO_DAYS : {}
  const address = toLines(ofMonths)
  const toDays = ({ month }: MonthColumn) =>
    monthsOf === 'issue' ? toDaysOfIssue(month, scope) : toLines({ months: [month] }).slice(address.length)
  const packPart = (column: MonthColumn, of: Series): PackedPart | null => {
    const part = column.parts.find((each) => each.series === of)
    if (part === undefined) return null
    const shown = ShortAmount({ amount: part.amount, currency })
    const whole = typeof shown === 'string' ? null : formatAmount(part.amount, currency)
    return [shown, whole, toPlace(part.bottomPercent), toPlace(part.heightPercent)]
  }
  return {
    currency,
    zero: toPlace(zeroPercent),
    all: toLines({}),
    address,
    series: series.map(({ label, verticals, tone }, place) => ({
      label,
      tone,
      address: isSplit ? toLines({ ...ofMonths, verticals: verticals.map((each) => each ?? '') }) : address,
      total: ShortAmount({ amount: totals[place] ?? net, currency }),
    })),
    months: columns.map((column) => ({
      label: column.label,
      days: toDays(column),
      net: ShortAmount({ amount: column.net, currency }),
      units: toWholeUnits(column.net),
      top: toPlace(column.topPercent),
      mark: column.hasCredits ? toPlace(column.netPercent) : null,
      parts: series.map((each) => packPart(column, each)),
    })),
    net: ShortAmount({ amount: net, currency }),
  }
}

const NO_DAYS = { from: null, to: null, dateField: 'expense' } as const

/** The end of an address, for a month of issue or for all before it. */
function toDaysOfIssue(month: string, { from }: LedgerScope): string {
  if (!month.startsWith('before ')) return `&period=${month}`
  const first = month.slice(7)
  return `${from === null ? '' : `&from=${from}`}&to=${toDayBefore(`${first}-01`)}&date=issued`
}

function toDayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

/** To a sixtieth of a pixel. */
function toPlace(percent: number): number {
  return Math.round(percent * 100) / 100
}

/** The table has every digit. */
function toWholeUnits(net: DecimalText): string {
  return formatNumber(roundHalfAwayFromZero(net, 0))
}
