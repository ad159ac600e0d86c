import { isJsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'
import type { Money } from '#lib/reconcile/money.ts'
import { requiredCurrency, requiredDecimal } from './wire-values.ts'

/** The member with a record's total (contract, "Invoice line object"; for invoices, assumed). */
const TOTALS: Record<string, string> = { lines: 'total_amount', invoices: 'total' }

/**
 * What a record that cannot be read as a whole states as its total. Null where that part cannot be
 * read either, or the list has none.
 */
export function readStatedTotal(list: string, value: JsonValue | null): Money | null {
  const member = TOTALS[list]
  if (member === undefined || value === null || !isJsonObject(value)) return null
  const amount = requiredDecimal.safeParse(value[member])
  const currency = requiredCurrency.safeParse(value.currency)
  return amount.success && currency.success ? { amount: amount.data, currency: currency.data } : null
}
