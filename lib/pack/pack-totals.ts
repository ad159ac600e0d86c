/** The tie-out of a pack by currency, from the proofs of its invoices. Pure. */
import { groupBy } from '#lib/reconcile/group-by.ts'
import { TIE_OUT_REASONS, type TieOutReason } from '#lib/reconcile/invoice-finding.ts'
import { type DecimalText, isZeroDecimal, subtractDecimals, sumDecimals } from '#lib/reconcile/money.ts'
import type { PackInvoice } from './read-invoices.ts'

/** So many, and what they come to. */
export type Counted = { count: number; amount: DecimalText }

/**
 * What the invoices of one currency come to: lines + not imported - credit used, beside their
 * totals. Invoices that are gone are in no sum, nor are lines that are. `lines`: all of the
 * currency, on whatever invoice.
 */
export type PackTotal = {
  currency: string
  lines: Counted
  invoices: Counted
  /** Lines of these invoices in this currency. */
  linesOfInvoices: DecimalText
  notImported: DecimalText
  creditUsed: DecimalText
  comesTo: DecimalText
  difference: DecimalText
  explained: { reason: TieOutReason; amount: DecimalText }[]
  unexplained: DecimalText
}

export function sumPack(invoices: readonly PackInvoice[], lines: ReadonlyMap<string, Counted>): PackTotal[] {
  const held = invoices.filter(({ proof }) => !proof.isGone)
  const byCurrency = groupBy(held, ({ proof }) => proof.currency)
  return [...new Set([...byCurrency.keys(), ...lines.keys()])].sort().map((currency) => {
    const tieOuts = (byCurrency.get(currency) ?? []).map(({ proof }) => proof.tieOut)
    const sum = (of: (tieOut: (typeof tieOuts)[number]) => DecimalText | null) =>
      sumDecimals(tieOuts.flatMap((tieOut) => of(tieOut) ?? []))
    const amount = sum(({ total }) => total)
    const comesTo = sum((tieOut) => tieOut.comesTo)
    const parts = tieOuts.flatMap(({ explained }) => explained)
    return {
      currency,
      lines: lines.get(currency) ?? { count: 0, amount: sumDecimals([]) },
      invoices: { count: tieOuts.length, amount },
      linesOfInvoices: sum((tieOut) => tieOut.lines),
      notImported: sum((tieOut) => tieOut.notImported.amount),
      creditUsed: sum((tieOut) => tieOut.creditUsed),
      comesTo,
      difference: subtractDecimals(amount, comesTo),
      explained: TIE_OUT_REASONS.map((reason) => ({
        reason,
        amount: sumDecimals(parts.flatMap((part) => (part.reason === reason ? part.amount : []))),
      })).filter((part) => !isZeroDecimal(part.amount)),
      unexplained: sum((tieOut) => tieOut.unexplained),
    }
  })
}
