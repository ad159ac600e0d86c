import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { DEFAULT_LINE_QUERY, type LineQuery } from '#lib/ledger/query/line-query.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
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
 * A chart on its way to the browser: its figures, and none of the markup, of which seventy bars
 * and a table have a hundred times as much. Places are percent of the chart's height.
 */
export type PackedChart = {
  currency: string
  zero: number
  /** The list of all lines of a month, before its days. */
  address: string
  /** The same of one series. */
  series: { label: string; address: string }[]
  months: PackedMonth[]
}

export function packMonthChart({ series, columns, zeroPercent }: MonthChartData, currency: string): PackedChart {
  const toLines = (patch: Partial<LineQuery>) =>
    toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, currencies: [currency], ...patch } })
  const address = toLines({})
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
    address,
    series: series.map(({ label, verticals }) => ({
      label,
      address: toLines({ verticals: verticals.map((each) => each ?? '') }),
    })),
    months: columns.map((column) => ({
      label: column.label,
      days: toLines({ from: column.from, to: column.to }).slice(address.length),
      net: ShortAmount({ amount: column.net, currency }),
      units: toWholeUnits(column.net, currency),
      top: toPlace(column.topPercent),
      mark: column.hasCredits ? toPlace(column.netPercent) : null,
      parts: series.map((each) => packPart(column, each)),
    })),
  }
}

/** To a sixtieth of a pixel. */
function toPlace(percent: number): number {
  return Math.round(percent * 100) / 100
}

/** The table has every digit. */
function toWholeUnits(net: DecimalText, currency: string): string {
  return formatAmount(roundHalfAwayFromZero(net, 0), currency).replace(/\.0+$/, '')
}
