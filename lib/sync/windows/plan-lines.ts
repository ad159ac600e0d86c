import type { WindowScope } from '../model.ts'

/** An invoice whose lines are to be read, and how many these are, as far as that is known. */
export type DueInvoice = { serialNumber: string; issuingDate: string | null; lineCount: number }

/**
 * A day of issue, and how many lines its invoices have. `stretch` numbers the days between which no
 * other lies.
 */
export type DayOfLines = { day: string; lineCount: number; stretch: number }

/**
 * The windows that read the lines of all `due` invoices with the fewest calls, at `pageSize` lines
 * each: invoice by invoice, or a range of days with all their lines. Takes the invoices where both
 * cost the same. Ranges consist of `days` only (ascending, of one stretch each); an invoice of
 * another day, or of none, is asked for by its number.
 */
export function planLines(due: readonly DueInvoice[], days: readonly DayOfLines[], pageSize: number): WindowScope[] {
  const places = new Map(days.map(({ day }, place) => [day, place]))
  const byPlace = new Map<number, DueInvoice[]>()
  const others: DueInvoice[] = []
  for (const invoice of due) {
    const place = invoice.issuingDate === null ? undefined : places.get(invoice.issuingDate)
    if (place === undefined) others.push(invoice)
    else byPlace.set(place, [...(byPlace.get(place) ?? []), invoice])
  }
  const calls = (lineCount: number) => Math.max(1, Math.ceil(lineCount / pageSize))
  const dueDays = [...byPlace].sort(([a], [b]) => a - b)
  const linesBefore = [0]
  for (const { lineCount } of days) linesBefore.push((linesBefore.at(-1) as number) + lineCount)
  const countLines = (first: number, last: number) => (linesBefore[last + 1] as number) - (linesBefore[first] as number)

  // best[n]: the fewest calls for the first n days, and where their last window begins; null = the
  // last day is read invoice by invoice
  const best: { cost: number; from: number | null }[] = [{ cost: 0, from: null }]
  for (const [at, [last, invoices]] of dueDays.entries()) {
    const alone = invoices.reduce((sum, { lineCount }) => sum + calls(lineCount), 0)
    let choice: (typeof best)[number] = { cost: costOf(best, at) + alone, from: null }
    for (let from = at; from >= 0; from--) {
      const first = (dueDays[from] as [number, DueInvoice[]])[0]
      if (days[first]?.stretch !== days[last]?.stretch) break
      const cost = costOf(best, from) + calls(countLines(first, last))
      if (cost < choice.cost) choice = { cost, from }
    }
    best.push(choice)
  }

  const windows: WindowScope[] = others.map(toInvoiceWindow)
  for (let n = dueDays.length; n > 0; ) {
    const { from } = best[n] as (typeof best)[number]
    const [last, invoices] = dueDays[n - 1] as [number, DueInvoice[]]
    if (from === null) {
      windows.push(...invoices.map(toInvoiceWindow))
      n -= 1
      continue
    }
    const [first] = dueDays[from] as [number, DueInvoice[]]
    windows.push({ ...NO_LIMITS, issuedFrom: days[first]?.day ?? null, issuedUpto: days[last]?.day ?? null })
    n = from
  }
  return windows
}

function costOf(best: readonly { cost: number }[], n: number): number {
  return (best[n] as { cost: number }).cost
}

const NO_LIMITS: WindowScope = {
  list: 'lines',
  issuedFrom: null,
  issuedUpto: null,
  invoiceStatus: null,
  serialNumber: null,
}

function toInvoiceWindow({ serialNumber }: DueInvoice): WindowScope {
  return { ...NO_LIMITS, serialNumber }
}
