// Runs in the browser, beside `format.ts`: pages without amounts do not load it.
import { currencyDigits } from './currency.ts'
import { type AmountOptions, formatAmount } from './format.ts'
import type { DecimalText } from './money.ts'

/**
 * An amount with exactly its currency's decimals, as `formatAmount` writes it, rounded half away
 * from zero. `isWhole`: nothing was rounded off.
 */
export function shortenAmount(
  amount: DecimalText,
  currency: string,
  options: AmountOptions = {},
): { text: string; isWhole: boolean } {
  const digits = currencyDigits(currency)
  const [integer = '0', stated = ''] = amount.replace('-', '').split('.')
  const decimals = stated.replace(/0+$/, '')
  if (decimals.length <= digits) return { text: formatAmount(amount, currency, options), isWhole: true }
  const up = (decimals[digits] as string) >= '5' ? 1n : 0n
  const units = String(BigInt(integer + decimals.slice(0, digits)) + up).padStart(digits + 1, '0')
  const point = units.length - digits
  const rounded = `${amount.startsWith('-') ? '-' : ''}${units.slice(0, point)}.${units.slice(point)}`
  return { text: formatAmount(rounded as DecimalText, currency, options), isWhole: false }
}
