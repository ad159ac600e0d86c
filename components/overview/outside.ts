import { plural } from '#components/text/plural.ts'
import type { TieOut, Troubles } from '#lib/ledger/model.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { addDecimals, type Money, subtractDecimals, sumDecimals, toSize } from '#lib/reconcile/money.ts'

type InQuestion = Troubles & { tieOut: TieOut }

/**
 * What needs attention outside a scope, part by part in words: what is in question in all, less
 * what is within.
 */
export function describeOutside(all: InQuestion, within: InQuestion): string[] {
  const ofLines = (['unexplained', 'explained'] as const).flatMap((outcome) =>
    toPart('line', outcome, toLines(all, outcome), toLines(within, outcome)),
  )
  const others = countOthers(all.tieOut) - countOthers(within.tieOut)
  const rejected = all.rejectedCount - within.rejectedCount
  return [
    ...ofLines,
    ...toPart('invoice', 'not tied out', toOpen(all.tieOut), toOpen(within.tieOut)),
    ...(others > 0 ? [plural(others, 'other finding of an invoice', 'other findings of invoices')] : []),
    ...toPart('line', 'removed', toGone(all), toGone(within)),
    ...(rejected > 0 ? [plural(rejected, 'record not imported', 'records not imported')] : []),
  ]
}

type Counted = { count: number } & Money

/** `8 lines unexplained, EUR 52.22 · JPY 110`. */
function toPart(noun: string, state: string, whole: Counted[], own: Counted[]): string[] {
  const count = (all: Counted[]) => all.reduce((sum, each) => sum + each.count, 0)
  const difference = count(whole) - count(own)
  if (difference <= 0) return []
  const currencies = [...new Set(whole.map(({ currency }) => currency))]
  const sumOf = (all: Counted[], currency: string) =>
    sumDecimals(all.flatMap((each) => (each.currency === currency ? each.amount : [])))
  const sums = currencies.flatMap((currency) => {
    const left = [whole, own].map((all) => all.filter((each) => each.currency === currency))
    if (count(left[0] ?? []) === count(left[1] ?? [])) return []
    const amount = subtractDecimals(sumOf(whole, currency), sumOf(own, currency))
    return `${currency} ${formatAmount(amount, currency)}`
  })
  return [`${plural(difference, noun)} ${state}, ${sums.join(' · ')}`]
}

function toLines({ findings }: InQuestion, outcome: 'unexplained' | 'explained'): Counted[] {
  return findings
    .filter((each) => each.outcome === outcome)
    .map(({ currency, lineCount, overcharged, undercharged }) => ({
      currency,
      count: lineCount,
      amount: addDecimals(overcharged, undercharged),
    }))
}

function toOpen({ currencies }: TieOut): Counted[] {
  return currencies.flatMap(({ currency, openInvoices }) =>
    openInvoices.flatMap(({ unexplained, isFinding, isDecided }) =>
      isFinding && !isDecided ? { currency, count: 1, amount: toSize(unexplained) } : [],
    ),
  )
}

function toGone({ gone: { totals } }: InQuestion): Counted[] {
  return totals.map(({ currency, lineCount, totalAmount }) => ({ currency, count: lineCount, amount: totalAmount }))
}

/** Findings that no other part names. */
function countOthers({ findings }: TieOut): number {
  return findings.reduce(
    (sum, { code, invoiceCount }) => (code === 'total' || code === 'not_imported' ? sum : sum + invoiceCount),
    0,
  )
}
