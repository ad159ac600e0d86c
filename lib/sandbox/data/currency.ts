/** Decimal places of the currencies the sandbox bills in (ISO 4217). */
const CURRENCY_DIGITS: Readonly<Record<string, number>> = { EUR: 2, GBP: 2, USD: 2, JPY: 0, KWD: 3 }

/** Decimal places of a currency; two for an unknown one. */
export function currencyDigits(currency: string): number {
  return CURRENCY_DIGITS[currency] ?? 2
}
