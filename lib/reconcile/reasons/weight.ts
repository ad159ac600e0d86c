import { currencyDigits } from '../currency.ts'
import type { DecimalText } from '../money.ts'

/**
 * How much a difference matters: `unexplained` money first, then `explained` money, then
 * `notation`, which is less than one minor unit of the currency and cannot be paid.
 */
export type Weight = 'unexplained' | 'explained' | 'notation'

/** Looks at digits alone, so pages need no decimal library for it. */
export function weighDifference(difference: DecimalText, currency: string, isExplained: boolean): Weight {
  const [whole = '', fraction = ''] = difference.split('.')
  if (!/[1-9]/.test(whole + fraction.slice(0, currencyDigits(currency)))) return 'notation'
  return isExplained ? 'explained' : 'unexplained'
}
