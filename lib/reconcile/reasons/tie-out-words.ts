import type { InvoiceFindingCode, TieOutReason } from '../invoice-finding.ts'

/** Why an invoice's total is not what its lines come to. */
export const TIE_OUT_WORDS: Record<TieOutReason, string> = {
  removed_line: 'removed lines are still in the total',
  credit_not_deducted: 'invoice total ignores the credit used',
  tax_per_document: 'tax rounded per document',
  rounding: 'rounding of the total',
}

/** More about it, beneath the number of invoices. */
export const INVOICE_FINDING_DETAILS: Record<InvoiceFindingCode, string> = {
  total: 'not explained by lines, credit or rounding',
  total_explained: 'open the invoice for the reason',
  duplicate_line: 'the same line stands on an earlier invoice, and no refund takes it back',
  refund_above_original: 'refunds of a trip come to more than was paid for it',
  refund_without_original: 'no earlier payment found for this trip and service',
  lines_missing: 'fewer lines have arrived than the invoice states',
  not_imported: 'kept as received; not in any total',
  other_currency: 'they are in no sum of their invoice',
  regime_total: 'its summary of taxes and its lines disagree',
  regime_tax: 'its summary of taxes and its lines disagree',
  regime_subtotal: 'its summary of taxes and its lines disagree',
  credit_sign: 'credit note states positive prices (no effect)',
  due_before_issued: 'the day it is due lies before the day it was issued',
}

/** What is wrong with an invoice itself. */
export const INVOICE_FINDING_LABELS: Record<InvoiceFindingCode, string> = {
  total: 'Unexplained difference',
  total_explained: 'Difference explained',
  duplicate_line: 'Line also on another invoice',
  refund_above_original: 'Refund above its original',
  refund_without_original: 'Refund has no original payment',
  lines_missing: 'Lines missing',
  not_imported: 'Lines not imported',
  other_currency: 'Lines in another currency',
  regime_total: 'Total of a tax differs',
  regime_tax: 'Tax differs',
  regime_subtotal: 'Net of a tax differs',
  credit_sign: 'Credit above zero',
  due_before_issued: 'Due before issued',
}
