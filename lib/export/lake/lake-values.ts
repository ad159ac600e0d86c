/** Each kind of value as Parquet stores it: exactly, or not at all. Pure. */
import { OperationalError } from '#lib/errors.ts'
import { type DecimalText, toUnits } from '#lib/reconcile/money.ts'
import type { LakeType } from './lake-columns.ts'

/** DECIMAL(38, 18), the widest there is: 20 digits before the point. */
export const DECIMAL = { precision: 38, scale: 18 }

const TOO_LARGE = 10n ** BigInt(DECIMAL.precision)
const DAY_MS = 86_400_000

export type LakeValue = string | number | bigint | boolean | null

/**
 * A decimal in units of 10^-18.
 * @throws OperationalError `lake-amount` for one that would have to be rounded.
 */
function toLakeDecimal(text: string): bigint {
  const point = text.indexOf('.')
  const plain = (point < 0 ? text : text.replace(/\.?0+$/, '')) as DecimalText
  const decimals = point < 0 || !plain.includes('.') ? 0 : plain.length - point - 1
  const units = decimals > DECIMAL.scale ? null : toUnits(plain, DECIMAL.scale)
  if (units !== null && units < TOO_LARGE && units > -TOO_LARGE) return units
  throw new OperationalError('lake-amount', `${text} does not fit DECIMAL(${DECIMAL.precision}, ${DECIMAL.scale})`)
}

/** How a text of the ledger becomes a value of each type; days are days since 1970. */
export const TO_LAKE_VALUE: Record<LakeType, (text: string) => LakeValue> = {
  text: (text) => text,
  decimal: toLakeDecimal,
  day: (text) => Date.parse(`${text}T00:00:00Z`) / DAY_MS,
  count: BigInt,
  boolean: (text) => text === 'true',
  moment: BigInt,
}
