import { type Account, invoiceFactsOf } from './data/account.ts'
import { currencyDigits } from './data/currency.ts'
import { addFixed, type Fixed, fixed, subtractFixed, trimmedText, ZERO } from './data/decimal.ts'
import type { InvoiceFact } from './data/model.ts'

/** Which invoices count, by their day of issue (YYYY-MM-DD; null where an invoice has none). */
export type IsIssued = (day: string | null) => boolean

/** What a tie-out of the account has to come to, in one currency. Amounts are exact. */
export type ControlTieOut = {
  currency: string
  invoiceCount: number
  lines: string
  notImported: string
  creditUsed: string
  invoices: string
  /** Credits that were not taken off, and what is left where a total was rounded once. */
  explained: string
  /** What was planted and nothing explains. */
  unexplained: string
}

const AMOUNTS = ['lines', 'notImported', 'creditUsed', 'invoices', 'explained', 'unexplained'] as const

/**
 * The tie-out of an account's invoices per currency, added up from the data in whole numbers.
 * `unexplained` is what was planted, and never a remainder.
 */
export function computeTieOuts(account: Account, isIssued: IsIssued = () => true): ControlTieOut[] {
  const sums = new Map<string, Record<(typeof AMOUNTS)[number], Fixed> & { count: number }>()
  for (const fact of invoiceFactsOf(account)) {
    if (!isIssued(fact.issuingDate)) continue
    const { count, ...sum } = sums.get(fact.currency) ?? { count: 0, ...toAmounts(() => ZERO) }
    const own = tieOut(fact)
    sums.set(fact.currency, { count: count + 1, ...toAmounts((name) => addFixed(sum[name], own[name])) })
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { count, ...sum }]) => ({
      currency,
      invoiceCount: count,
      ...toAmounts((name) => trimmedText(sum[name], currencyDigits(currency))),
    }))
}

function tieOut({ lines, notImported, creditUsed, total, planted }: InvoiceFact) {
  const comesTo = subtractFixed(addFixed(lines, notImported), creditUsed)
  const more = planted ? fixed(planted.amount) : ZERO
  const rounding = subtractFixed(subtractFixed(total, comesTo), more)
  const [known, open] = planted?.reason === null ? [ZERO, more] : [more, ZERO]
  return { lines, notImported, creditUsed, invoices: total, explained: addFixed(rounding, known), unexplained: open }
}

function toAmounts<T>(amountOf: (name: (typeof AMOUNTS)[number]) => T): Record<(typeof AMOUNTS)[number], T> {
  return Object.fromEntries(AMOUNTS.map((name) => [name, amountOf(name)])) as Record<(typeof AMOUNTS)[number], T>
}
