/** What a trip came to: bookings, extras, fees and refunds. Pure. */
import { addDecimals, type DecimalText, sumDecimals } from '../money.ts'

/**
 * What a line is within its trip, in the order in which people read it. The contract gives the code
 * of the booked service and the vertical that it belongs to (metadata: `service`,
 * `related_vertical`), and no kind of line; these are told from them and from the sign.
 */
const TRIP_PARTS = ['booking', 'extra', 'fee', 'refund'] as const
export type TripPart = (typeof TRIP_PARTS)[number]

/** Lines of one currency, service and vertical, those below zero apart. */
export type TripSum = {
  currency: string
  service: string | null
  relatedVertical: string | null
  isBelowZero: boolean
  lineCount: number
  /** In `currency`. */
  totalAmount: DecimalText
}

/**
 * A line below zero gives something back, whatever it was for. A line of no vertical is a fee. A
 * service of another name than its vertical is something extra to a booking: a seat, a room to meet
 * in.
 */
export function tripPartOf({
  service,
  relatedVertical,
  isBelowZero,
}: Pick<TripSum, 'service' | 'relatedVertical' | 'isBelowZero'>): TripPart {
  if (isBelowZero) return 'refund'
  if (relatedVertical === null) return 'fee'
  return service === null || service === relatedVertical ? 'booking' : 'extra'
}

/** One row of what a trip cost; `amounts` by currency, absent where there is no such line. */
type TripCostRow = {
  part: TripPart
  vertical: string | null
  lineCount: number
  amounts: Record<string, DecimalText>
}

export type TripCost = {
  currencies: string[]
  /** By part, then vertical; unknown ones last. */
  rows: TripCostRow[]
  /** Each currency's sum of all rows. No sum spans two currencies. */
  net: Record<string, DecimalText>
}

/** What these sums come to. Every line is in exactly one row. */
export function toTripCost(sums: readonly TripSum[]): TripCost {
  const rows = new Map<string, TripCostRow>()
  for (const sum of sums) {
    const [part, vertical] = [tripPartOf(sum), sum.relatedVertical]
    const key = JSON.stringify([part, vertical])
    const row = rows.get(key) ?? { part, vertical, lineCount: 0, amounts: {} }
    rows.set(key, {
      ...row,
      lineCount: row.lineCount + sum.lineCount,
      amounts: { ...row.amounts, [sum.currency]: addTo(row.amounts[sum.currency], sum.totalAmount) },
    })
  }
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort()
  const net = currencies.map((currency) => {
    const amounts = sums.filter((sum) => sum.currency === currency).map(({ totalAmount }) => totalAmount)
    return [currency, sumDecimals(amounts)]
  })
  return { currencies, rows: [...rows.values()].sort(compareRows), net: Object.fromEntries(net) }
}

function addTo(amount: DecimalText | undefined, more: DecimalText): DecimalText {
  return amount === undefined ? more : addDecimals(amount, more)
}

function compareRows(one: TripCostRow, other: TripCostRow): number {
  const byPart = TRIP_PARTS.indexOf(one.part) - TRIP_PARTS.indexOf(other.part)
  // after every letter
  const toText = ({ vertical }: TripCostRow) => vertical ?? '\uffff'
  return byPart !== 0 ? byPart : toText(one) < toText(other) ? -1 : 1
}
