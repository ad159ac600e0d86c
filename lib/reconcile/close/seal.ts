/**
 * The seal of an invoice or a month: a hash over all that somebody sees who signs it
 * (docs/decisions/062-sign-off.md). The database says the same of lines and invoices
 * (lib/ledger/close/seal.sql), and a test puts the same data to both. Runs on the server: no
 * browser has its hash.
 *
 * In it is what a decision about a line depends on (review_hash), what was decided, and what an
 * invoice's proof is made of. The status, names and cost centers are not: who pays an invoice would
 * end every signature.
 */
import { createHash } from 'node:crypto'
import { type DecimalText, toPlainDecimal } from '../money.ts'

type Field = string | null

/**
 * Each field as its length in bytes of UTF-8 and its text, `-` for null, joined by commas: no two
 * lists of fields are written alike.
 */
export function writeFields(fields: readonly Field[]): string {
  return fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')
}

function hashFields(fields: readonly Field[]): string {
  return createHash('sha256').update(writeFields(fields)).digest('hex')
}

const plain = (value: DecimalText | null) => value && toPlainDecimal(value)
const presence = (isGone: boolean) => (isGone ? 'gone' : 'held')

/** `foundBeside`: what a comparison says of it, in the database's words (said_beside). */
export type SealedLine = {
  id: string
  currency: string
  quantity: DecimalText
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  taxPercentage: DecimalText
  taxRegime: string | null
  taxAmount: DecimalText
  totalAmount: DecimalText
  findingCodes: readonly string[]
  explainedCodes: readonly string[]
  isGone: boolean
  foundBeside: string | null
  /** Where it stands in the review, `open` without a decision, and the decision's number. */
  review: string
  decision: string | null
}

/** The SHA-256 of a line, in hex. */
export function sealLine(line: SealedLine): string {
  return hashFields(['tieout-seal-1 line', ...toLineFields(line)])
}

/** What a line's seal is made of, in its order; the evidence pack shows it. */
export function toLineFields(line: SealedLine): Field[] {
  return [
    line.id,
    line.currency,
    plain(line.quantity),
    plain(line.unitPrice),
    plain(line.nonTaxableUnitPrice),
    plain(line.taxPercentage),
    line.taxRegime,
    plain(line.taxAmount),
    plain(line.totalAmount),
    line.findingCodes.join(' '),
    line.explainedCodes.join(' '),
    presence(line.isGone),
    line.foundBeside,
    line.review,
    line.decision,
  ]
}

/** The proof's version, the organization's newest check and the account's newest habit. */
export type SealedVersions = { proof: number; checks: string; habits: string }

export type SealedInvoice = {
  connectionId: string
  serialNumber: string
  profileId: string | null
  mode: string | null
  issuingDate: string | null
  dueDate: string | null
  currency: string
  total: DecimalText
  creditUsed: DecimalText | null
  statedLineCount: number | null
  /** As the database keeps them (`invoice.stated_taxes`). */
  statedTaxes: readonly string[]
  isGone: boolean
  /** Its proof where it has a finding or a note (`writeSeen`); null otherwise. */
  seen: string | null
  /** What was decided about it last, `open` without a decision, and the decision's number. */
  review: string
  decision: string | null
  versions: SealedVersions
  /** In order of their ids, by bytes. */
  lines: readonly SealedLine[]
}

/** The SHA-256 of an invoice with its lines, in hex. @internal */
export function sealInvoice(invoice: SealedInvoice): string {
  return sealInvoiceOf(toInvoiceFields(invoice), invoice.lines.map(sealLine))
}

/** The same of its fields, and of its lines' seals in order of their ids, by bytes. */
export function sealInvoiceOf(fields: readonly Field[], leaves: readonly string[]): string {
  return hashFields(['tieout-seal-1 invoice', ...fields, `${leaves.length}`, ...leaves])
}

/**
 * What an invoice's seal is made of, in its order, without its lines; the evidence pack shows it.
 */
export function toInvoiceFields(invoice: Omit<SealedInvoice, 'lines'>): Field[] {
  const { versions } = invoice
  return [
    invoice.connectionId,
    invoice.serialNumber,
    invoice.profileId,
    invoice.mode,
    invoice.issuingDate,
    invoice.dueDate,
    invoice.currency,
    plain(invoice.total),
    plain(invoice.creditUsed),
    invoice.statedLineCount === null ? null : `${invoice.statedLineCount}`,
    invoice.statedTaxes.length === 0 ? null : writeFields(invoice.statedTaxes),
    presence(invoice.isGone),
    invoice.seen,
    invoice.review,
    invoice.decision,
    `${versions.proof}`,
    versions.checks,
    versions.habits,
  ]
}

type SealedPeriod = {
  kind: 'profile_month' | 'connection_month'
  connectionId: string
  profileId: string | null
  /** YYYY-MM. */
  month: string
}

/** The SHA-256 of a month, in hex, from its invoices' in order of serial numbers, by bytes. */
export function sealPeriod({ kind, connectionId, profileId, month }: SealedPeriod, seals: readonly string[]): string {
  return hashFields(['tieout-seal-1 period', kind, connectionId, profileId, month, `${seals.length}`, ...seals])
}
