import { addFixed, parseFixed, ZERO } from './decimal.ts'
import { expenseDatePasses, invoicePasses } from './filters.ts'
import type { GroundTruth, InvoiceFact, LineFact, ListFilter, Segment, StoredInvoice, StoredLine } from './model.ts'
import { toWireInvoice, toWireLine } from './wire/invoice-wire.ts'
import { type JsonObject, type JsonValue, scalarText } from './wire/json.ts'
import { checkLine, factOfLine, unreadableField } from './wire/line-check.ts'

/** Invoices in an array that tests may change; the array is shared, not copied. */
export function createMemorySegment(invoices: StoredInvoice[]): Segment {
  const matching = (filter: ListFilter) => invoices.filter((invoice) => invoicePasses(invoice, filter))
  const matchingLines = (filter: ListFilter) =>
    matching(filter).flatMap((invoice) =>
      invoice.lines
        .filter((line) => expenseDatePasses(scalarText(line.wire.expense_date), filter))
        .map((line) => ({ invoice, line })),
    )
  return {
    countInvoices: (filter) => matching(filter).length,
    readInvoices: (filter, offset, limit) => matching(filter).slice(offset, offset + limit),
    countLines: (filter) => matchingLines(filter).length,
    readLines: (filter, offset, limit) =>
      matchingLines(filter)
        .slice(offset, offset + limit)
        .map(({ invoice, line }) => toWireLine(invoice, line.wire)),
    findInvoice: (serialNumber) => invoices.find((invoice) => invoice.serialNumber === serialNumber) ?? null,
    facts: () => factsOf(invoices),
    invoiceFacts: () => invoices.map(toInvoiceFact),
    groundTruth: (account) => truthOf(invoices, account),
  }
}

function* factsOf(invoices: readonly StoredInvoice[]): Iterable<LineFact> {
  for (const invoice of invoices) {
    for (const line of invoice.lines) yield factOfLine(line.wire, String(invoice.header.currency))
  }
}

function toInvoiceFact(invoice: StoredInvoice): InvoiceFact {
  const { header } = invoice
  const amountOf = (value: JsonValue | undefined) => parseFixed(scalarText(value) ?? '') ?? ZERO
  const sum = (lines: readonly StoredLine[]) =>
    lines.reduce((all, { wire }) => addFixed(all, amountOf(wire.total_amount)), ZERO)
  return {
    currency: String(header.currency),
    issuingDate: scalarText(header.issuing_date),
    lines: sum(invoice.lines.filter(({ wire }) => unreadableField(wire) === null)),
    notImported: sum(invoice.lines.filter(({ wire }) => unreadableField(wire) !== null)),
    creditUsed: amountOf(header.credit_used_for_customer_payment),
    total: amountOf(toWireInvoice(invoice, 0).total),
    planted: invoice.planted ?? null,
  }
}

function truthOf(invoices: readonly StoredInvoice[], account: { id: string; name: string }): GroundTruth {
  const truth: GroundTruth = { findings: [], notes: [], rejected: [], invoices: [] }
  const owner = { accountId: account.id, account: account.name }
  for (const invoice of invoices) {
    if (isPositiveCredit(invoice)) {
      const description = 'credit note whose total is positive'
      truth.notes.push({ ...owner, code: 'credit_sign', invoiceSerialNumber: invoice.serialNumber, description })
    }
    if (invoice.planted)
      truth.invoices.push({
        ...owner,
        invoiceSerialNumber: invoice.serialNumber,
        currency: String(invoice.header.currency),
        ...invoice.planted,
      })
    for (const line of invoice.lines) addLineTruth(truth, owner, invoice, line)
  }
  return truth
}

function addLineTruth(
  truth: GroundTruth,
  owner: { accountId: string; account: string },
  invoice: StoredInvoice,
  line: StoredLine,
): void {
  const invoiceSerialNumber = invoice.serialNumber
  const lineId = scalarText(line.wire.id)
  const description = scalarText(line.wire.description) ?? ''
  if (!('id' in line.wire)) truth.notes.push({ ...owner, code: 'no_id', invoiceSerialNumber, description })
  if (line.note) truth.notes.push({ ...owner, code: line.note, invoiceSerialNumber, description })
  const field = unreadableField(line.wire)
  if (field) {
    truth.rejected.push({ ...owner, lineId, invoiceSerialNumber, field, text: scalarText(line.wire[field]) ?? 'null' })
    return
  }
  const currency = String(invoice.header.currency)
  const { codes, total: _total, ...figures } = checkLine(line.wire, currency)
  if (codes.length === 0) return
  truth.findings.push({ ...owner, lineId, invoiceSerialNumber, currency, plant: line.plant ?? null, codes, ...figures })
}

function isPositiveCredit(invoice: StoredInvoice): boolean {
  if (!String(invoice.header.mode).startsWith('credit-')) return false
  const total = parseFixed(scalarText((toWireInvoice(invoice, 0) satisfies JsonObject).total) ?? '')
  return total !== null && total.units > 0n
}
