import { CHECK_CODES, type CheckCode, type CheckLevel } from '#lib/reconcile/checks/checks.ts'
import { INVOICE_FINDING_CODES, type InvoiceFindingCode } from '#lib/reconcile/invoice-finding.ts'
import { INVOICE_FINDING_DETAILS, INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'

/** A check in words, and more about it. */
export type CheckWords = { label: string; detail: string }

const LINE_CHECKS: Record<'line_total' | 'line_tax', CheckWords> = {
  line_total: {
    label: 'Total does not add up',
    detail: 'quantity × prices + tax is not the total that the line states',
  },
  line_tax: { label: 'Tax does not match its rate', detail: 'the rate of the taxable amount is not the tax stated' },
}

export const LEVEL_WORDS: Record<CheckLevel, string> = {
  finding: 'Finding',
  note: 'Note',
  off: 'Off',
}

export function describeCheck(code: CheckCode): CheckWords {
  if (code === 'line_total' || code === 'line_tax') return LINE_CHECKS[code]
  const ofInvoice = code.slice('invoice_'.length) as InvoiceFindingCode
  return { label: INVOICE_FINDING_LABELS[ofInvoice], detail: INVOICE_FINDING_DETAILS[ofInvoice] }
}

/** The checks of lines, then those of invoices, in the order of their urgency. */
export const CHECK_GROUPS: { title: string; codes: CheckCode[] }[] = [
  { title: 'Line checks', codes: CHECK_CODES.slice(0, -INVOICE_FINDING_CODES.length) },
  { title: 'Invoice checks', codes: CHECK_CODES.slice(-INVOICE_FINDING_CODES.length) },
]
