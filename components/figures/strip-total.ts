import { plural } from '#components/text/plural.ts'
import type { CurrencyTotal } from '#lib/ledger/model.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

export type StripTotal = {
  currency: string
  /** What the total covers: `1,306 lines`. */
  scope: string
  amount: DecimalText
  findingCount: number
  href: string
}

/** A currency's total for the strip, of lines or of invoices. */
export function toStripTotal(total: CurrencyTotal, noun: 'line' | 'invoice', href: string): StripTotal {
  return {
    currency: total.currency,
    scope: plural(noun === 'line' ? total.lineCount : total.invoiceCount, noun),
    amount: total.totalAmount,
    findingCount: total.findingCount,
    href,
  }
}
