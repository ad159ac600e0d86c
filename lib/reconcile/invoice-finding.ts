/** Stable codes of what is said of an invoice. Runs in the browser: no decimal library. */
import type { DecimalText } from './money.ts'

/** Why an invoice's total is not what it comes to, by stable codes. */
export const TIE_OUT_REASONS = ['removed_line', 'credit_not_deducted', 'tax_per_document', 'rounding'] as const
export type TieOutReason = (typeof TIE_OUT_REASONS)[number]

/** What can be wrong with an invoice itself, by stable codes; most urgent first. */
export const INVOICE_FINDING_CODES = [
  'total',
  'total_explained',
  'duplicate_line',
  'refund_above_original',
  'refund_without_original',
  'lines_missing',
  'not_imported',
  'other_currency',
  'regime_total',
  'regime_tax',
  'regime_subtotal',
  'credit_sign',
  'due_before_issued',
] as const
export type InvoiceFindingCode = (typeof INVOICE_FINDING_CODES)[number]

/** What a line can be beside the other lines of its account: findings of its invoice. */
export const LINE_COMPARISON_CODES = [
  'duplicate_line',
  'refund_above_original',
  'refund_without_original',
] as const satisfies InvoiceFindingCode[]
export type LineComparisonCode = (typeof LINE_COMPARISON_CODES)[number]

/** `amount`: by how much, in the invoice's currency; null where no amount says it. */
export type InvoiceFinding = { code: InvoiceFindingCode; amount: DecimalText | null }
