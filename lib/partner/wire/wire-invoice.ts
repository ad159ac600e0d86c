import * as z from 'zod'
import { hashText } from '#lib/hash-text.ts'
import { JsonError } from '#lib/reconcile/json/json-error.ts'
import { listMembers, skipSpace } from '#lib/reconcile/json/scan.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'
import type { InvoiceRecord, TaxSummary } from '#lib/reconcile/records.ts'
import { hashContent } from './hash-content.ts'
import { type Rejected, readRecord, toObjectPath, toStorable } from './wire-record.ts'
import {
  optionalDay,
  optionalDecimal,
  optionalKey,
  optionalObject,
  optionalText,
  requiredCurrency,
  requiredDecimal,
  requiredId,
} from './wire-values.ts'

const wireTaxSummary = z.object({
  tax_regime: optionalKey,
  subtotal: optionalDecimal,
  tax_percentage: optionalDecimal,
  tax_amount: optionalDecimal,
  total: optionalDecimal,
})

/** The invoice as observed on the wire; the contract does not show it (assumption 10). */
export const wireInvoice = z.object({
  serial_number: requiredId,
  profile_id: optionalKey,
  profile_name: optionalText,
  billing_information: optionalObject({ legal_name: optionalText }),
  mode: optionalKey,
  status: optionalKey,
  issuing_date: optionalDay,
  due_date: optionalDay,
  from_date: optionalDay,
  to_date: optionalDay,
  billing_period: optionalKey,
  currency: requiredCurrency,
  total: requiredDecimal,
  credit_used_for_customer_payment: optionalDecimal,
  reference: optionalText,
  // Entries that are not objects are left out here and named among the unreadable paths below.
  taxes_summary: z.preprocess(
    (value) => (Array.isArray(value) ? value.filter(isJsonObject) : []),
    z.array(wireTaxSummary),
  ),
})

const OBJECT_PATHS = [toObjectPath('billing_information')]

const PDF_PLACEHOLDER = '[not stored]'

/**
 * Reads one invoice from its source text. Never throws. Neither the record nor a rejection holds
 * the PDF's address: it is presigned, so as good as a password (assumption 23). Ignores the lines
 * an invoice may carry; the lines list is their source (assumption 22). `textHash`: the SHA-256 of
 * the text without the address, if known.
 */
export function parseInvoice(
  raw: string,
  textHash?: string,
): { ok: true; invoice: InvoiceRecord; value: JsonObject } | Rejected {
  const safeRaw = hidePdfAddress(raw)
  const read = readRecord(safeRaw, wireInvoice, 'serial_number', OBJECT_PATHS)
  if (!read.ok) return read
  const { value, wire, unreadablePaths } = read
  if (isUnreadableList(value.taxes_summary)) unreadablePaths.push('taxes_summary')
  const invoice: InvoiceRecord = {
    serialNumber: wire.serial_number,
    profileId: wire.profile_id,
    profileName: wire.profile_name,
    mode: wire.mode,
    status: wire.status,
    issuingDate: wire.issuing_date,
    dueDate: wire.due_date,
    fromDate: wire.from_date,
    toDate: wire.to_date,
    billingPeriod: wire.billing_period,
    currency: wire.currency,
    total: wire.total,
    creditUsed: wire.credit_used_for_customer_payment,
    taxesSummary: wire.taxes_summary.map(toTaxSummary),
    reference: wire.reference,
    legalName: wire.billing_information.legal_name,
    unreadablePaths,
    raw: safeRaw,
    textHash: textHash ?? hashText(safeRaw),
    contentHash: hashContent(withoutPdf(value)),
  }
  return { ok: true, invoice, value }
}

function toTaxSummary(wire: z.infer<typeof wireTaxSummary>): TaxSummary {
  return {
    taxRegime: wire.tax_regime,
    subtotal: wire.subtotal,
    taxPercentage: wire.tax_percentage,
    taxAmount: wire.tax_amount,
    total: wire.total,
  }
}

function isUnreadableList(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || !value.every(isJsonObject)
}

function withoutPdf(value: JsonObject): JsonObject {
  const { pdf: _pdf, ...rest } = value
  return rest
}

/**
 * The invoice's source text with the value of `pdf` replaced, every other byte unchanged. In a text
 * that is not a well-formed object, replaces every web address instead: it will be rejected, and
 * shown.
 */
export function hidePdfAddress(raw: string): string {
  try {
    const start = skipSpace(raw, 0)
    if (raw.charCodeAt(start) === 123) {
      let safe = ''
      let copied = 0
      for (const span of listMembers(raw, start).spans) {
        if (span.key !== 'pdf' || raw.startsWith('null', span.start)) continue
        safe += raw.slice(copied, span.start) + JSON.stringify(PDF_PLACEHOLDER)
        copied = span.end
      }
      return safe + raw.slice(copied)
    }
  } catch (thrown) {
    if (!(thrown instanceof JsonError)) throw thrown
  }
  return toStorable(raw).replace(/https?:(?:\\?\/){2}[^\s"]*/gi, PDF_PLACEHOLDER)
}
