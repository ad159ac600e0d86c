/**
 * What an organization can tune about the checks (docs/decisions/026-checks-and-habits.md). Runs in
 * the browser: no decimal library.
 */
import { INVOICE_FINDING_CODES } from '../invoice-finding.ts'
import type { DecimalText } from '../money.ts'

/** What becomes of a failed check: it counts, it is only named, or nobody hears of it. */
export const CHECK_LEVELS = ['finding', 'note', 'off'] as const
export type CheckLevel = (typeof CHECK_LEVELS)[number]

/** Every check of a line and of an invoice, by its stable code. */
export const CHECK_CODES = [
  'line_total',
  'line_tax',
  ...INVOICE_FINDING_CODES.map((code) => `invoice_${code}` as const),
] as const
export type CheckCode = (typeof CHECK_CODES)[number]

/** Checks whose amount is a difference, which may be too small to matter. */
const TOLERANT: readonly CheckCode[] = [
  'line_total',
  'line_tax',
  'invoice_total',
  'invoice_total_explained',
  'invoice_regime_total',
  'invoice_regime_tax',
  'invoice_regime_subtotal',
]

/**
 * `tolerance`: by currency, the largest difference of either sign that is only noted, in that
 * currency.
 */
export type CheckSetting = { level: CheckLevel; tolerance: Readonly<Record<string, DecimalText>> }

/** A check without a setting has the default. */
export type CheckSettings = Readonly<Partial<Record<CheckCode, CheckSetting>>>

/** Everything that does not add up counts, to the last digit. */
export const DEFAULT_CHECK: CheckSetting = { level: 'finding', tolerance: {} }

export function hasTolerance(code: CheckCode): boolean {
  return TOLERANT.includes(code)
}
