/** Tolerances as people write them: `EUR 0.05, JPY 1`. Runs in the browser: no decimal library. */

import type { DecimalText } from '../money.ts'
import type { CheckSetting } from './checks.ts'

const MOST_CURRENCIES = 30
const PART = /^(?:([A-Za-z]{3}) ?(\d{1,9}(?:\.\d{1,8})?)|(\d{1,9}(?:\.\d{1,8})?) ?([A-Za-z]{3}))$/

/**
 * Reads `EUR 0.05, 1 JPY`: one amount above zero per currency, separated by commas; an empty text
 * has none. Null for anything else: a decimal comma would be two parts, and is refused.
 */
export function parseTolerance(text: string): CheckSetting['tolerance'] | null {
  const tolerance: Record<string, DecimalText> = {}
  const parts = text.trim() === '' ? [] : text.split(/[,;\n]/).map((part) => part.trim().replace(/\s+/g, ' '))
  if (parts.length > MOST_CURRENCIES) return null
  for (const part of parts) {
    const found = PART.exec(part)
    const currency = (found?.[1] ?? found?.[4])?.toUpperCase()
    const amount = found?.[2] ?? found?.[3]
    if (currency === undefined || amount === undefined || !/[1-9]/.test(amount) || Object.hasOwn(tolerance, currency))
      return null
    tolerance[currency] = amount as DecimalText
  }
  return tolerance
}

/** As `parseTolerance` reads it, by currency. */
export function writeTolerance(tolerance: CheckSetting['tolerance']): string {
  return Object.entries(tolerance)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(', ')
}
