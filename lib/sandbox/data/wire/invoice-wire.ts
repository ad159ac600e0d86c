import { currencyDigits } from '../currency.ts'
import {
  addFixed,
  type Fixed,
  fixed,
  fixedText,
  isZeroFixed,
  parseFixed,
  roundFixed,
  subtractFixed,
  trimmedText,
  ZERO,
} from '../decimal.ts'
import type { Profile, StoredInvoice } from '../model.ts'
import { type JsonObject, type JsonValue, RawJson, scalarText } from './json.ts'

type TaxGroup = { regime: string | null; percentage: string; tax: Fixed; total: Fixed }

/**
 * A line with the fields of its invoice, as the lines list serves it (contract: extended invoice
 * line details).
 */
export function toWireLine(invoice: Pick<StoredInvoice, 'serialNumber' | 'header'>, line: JsonObject): JsonObject {
  const { header } = invoice
  return {
    ...line,
    invoice_serial_number: invoice.serialNumber,
    profile_id: header.profile_id,
    profile_name: header.profile_name,
    invoice_mode: header.mode,
    invoice_status: header.status,
    issuing_date: header.issuing_date,
    due_date: header.due_date,
    currency: header.currency,
  }
}

/**
 * The invoice object: total is the sum of the lines less the customer credit used, and what was
 * planted on top of it; taxes_summary sums the lines per regime and rate. `signedAt` makes the
 * presigned PDF address differ from call to call, as on a real platform.
 */
export function toWireInvoice(invoice: StoredInvoice, signedAt: number): JsonObject {
  const digits = currencyDigits(String(invoice.header.currency))
  const groups = groupByTax(invoice)
  const sum = groups.reduce((all, group) => addFixed(all, group.total), ZERO)
  const credit = parseFixed(scalarText(invoice.header.credit_used_for_customer_payment) ?? '0') ?? ZERO
  return {
    serial_number: invoice.serialNumber,
    ...invoice.header,
    total: fixedText(roundFixed(addFixed(subtractFixed(sum, credit), fixed(invoice.planted?.amount ?? '0')), digits)),
    taxes_summary: groups.map((group) => ({
      tax_regime: group.regime ?? undefined,
      subtotal: trimmedText(subtractFixed(group.total, group.tax), digits),
      tax_percentage: group.percentage,
      tax_amount: trimmedText(group.tax, digits),
      total: trimmedText(group.total, digits),
    })),
    pdf: `https://documents.sandbox.example/invoices/${invoice.serialNumber}.pdf?${toPdfSignature(signedAt)}`,
    lines: linesOf(invoice),
  }
}

/** The part of a PDF's address that differs from call to call. */
export function toPdfSignature(signedAt: number): string {
  return `expires=${signedAt + 900}&signature=presigned-${signedAt.toString(36)}`
}

function linesOf(invoice: StoredInvoice): JsonValue | undefined {
  if (invoice.linesShape === 'flat') return invoice.lines.map((line) => line.wire)
  if (invoice.linesShape === 'absent') return undefined
  const next = `/invoices/lines?serial_number=${encodeURIComponent(invoice.serialNumber)}`
  return { total: invoice.lines.length, data: [], next }
}

function groupByTax(invoice: StoredInvoice): TaxGroup[] {
  const groups = new Map<string, TaxGroup>()
  for (const { wire } of invoice.lines) {
    const tax = parseFixed(scalarText(wire.tax_amount) ?? '')
    const total = parseFixed(scalarText(wire.total_amount) ?? '')
    if (!tax || !total) continue
    const rate = parseFixed(scalarText(wire.tax_percentage) ?? '')
    const percentage = rate && !isZeroFixed(rate) ? trimmedText(rate, 0) : '0'
    const regime = scalarText(wire.tax_regime)
    const key = `${regime}|${percentage}`
    const group = groups.get(key) ?? { regime, percentage, tax: ZERO, total: ZERO }
    groups.set(key, { ...group, tax: addFixed(group.tax, tax), total: addFixed(group.total, total) })
  }
  return [...groups.values()]
}

/** The profile object (partner facts: GET /profiles). */
export function toWireProfile(profile: Profile): JsonObject {
  return {
    id: profile.id,
    name: profile.name,
    payment_method_type: profile.paymentMethodType,
    billing_period: profile.billingPeriod,
    currency: profile.currency,
    billing_information: profile.billingInformation,
  }
}

/**
 * Copies a patch onto an object, one level deep. `rawJson` members are JSON text, served verbatim.
 */
export function applyPatch(target: JsonObject, patch: JsonObject, rawJson: Record<string, string> = {}): JsonObject {
  const raw = Object.fromEntries(Object.entries(rawJson).map(([key, text]) => [key, new RawJson(text)]))
  return { ...target, ...patch, ...raw }
}
