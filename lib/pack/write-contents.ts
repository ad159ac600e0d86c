/**
 * What is attached to a pack, written to a folder while it is read: lines, records as received,
 * what the seal is made of, a manifest, and the checker.
 */
import { readFileSync } from 'node:fs'
import type { Sql } from '#lib/db/tenant.ts'
import { toRow } from '#lib/export/csv.ts'
import { hashText } from '#lib/hash-text.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { sealInvoiceOf, sealLine, sealPeriod, toInvoiceFields, toLineFields } from '#lib/reconcile/close/seal.ts'
import { currencyDigits } from '#lib/reconcile/currency.ts'
import { addDecimals, sumDecimals, toPlainDecimal } from '#lib/reconcile/money.ts'
import { besides } from './own-files.ts'
import { type FileFacts, PackFile } from './pack-file.ts'
import { listPackInvoices, type PackScope } from './pack-scope.ts'
import { type Counted, type PackTotal, sumPack } from './pack-totals.ts'
import { type NotImported, type PackInvoice, readPackInvoices } from './read-invoices.ts'
import { LINES_HEADER, PACK_LINE_COLUMNS, type PackLine, readPackLines, toSealedLine } from './read-lines.ts'
import type { PackSignature } from './signatures.ts'

/** A line with a finding, and why it was decided as it was. */
export type FlaggedLine = PackLine & { findings: string[]; reviewNote: string | null }

export type PackContents = {
  invoices: (PackInvoice & { lineCount: number })[]
  flagged: FlaggedLine[]
  lineCount: number
  totals: PackTotal[]
  /** In hex. */
  seal: string
  files: FileFacts[]
  checkerLines: number
}

/** Who asked for it and when, and what it is of: for the manifest. */
export type PackHead = {
  organizationId: OrganizationId
  organization: string
  connection: string
  scope: PackScope
  /** ISO 8601, UTC, to the second. */
  askedAt: string
  askedBy: string
  signatures: PackSignature[]
}

/**
 * Writes all of the pack's attachments to the folder, as the ledger is in the caller's transaction.
 * Invoices are in order of their serial numbers and lines of their ids, both by bytes, as in the
 * seal.
 */
export async function writeContents(sql: Sql, head: PackHead, folder: string): Promise<PackContents> {
  const { organizationId, scope } = head
  const { serialNumbers } = await listPackInvoices(sql, organizationId, scope)
  const invoices = await readPackInvoices(sql, organizationId, scope, serialNumbers)
  const names = ['lines.csv', 'records.jsonl', 'invoices.jsonl', 'seal-lines.jsonl', 'seal-invoices.jsonl'] as const
  const [lines, records, bills, sealLines, sealInvoices] = await openAll(folder, names)
  await lines.write(LINES_HEADER)
  const leaves = new Map<string, string[]>()
  const sums = new Map<string, Counted>()
  const flagged: FlaggedLine[] = []
  let lineCount = 0
  for await (const line of readPackLines(sql, organizationId, scope, serialNumbers)) {
    const sealed = toSealedLine(line)
    const leaf = sealLine(sealed)
    const row = toRow(PACK_LINE_COLUMNS, line)
    await lines.write(row)
    await records.write(`${line.raw}\n`)
    const entry = { seal: toLineFields(sealed), leaf, row: toMeasure(row), record: toMeasure(line.raw) }
    await sealLines.write(`${JSON.stringify(entry)}\n`)
    const own = leaves.get(line.invoiceSerialNumber) ?? []
    own.push(leaf)
    leaves.set(line.invoiceSerialNumber, own)
    lineCount += 1
    if (line.findings.length > 0) flagged.push(withoutRecord(line))
    if (sealed.isGone) continue
    const sum = sums.get(line.currency) ?? { count: 0, amount: sumDecimals([]) }
    sums.set(line.currency, { count: sum.count + 1, amount: addDecimals(sum.amount, line.totalAmount) })
  }
  const seals: string[] = []
  for (const { sealed, proof, raw, contentHash, notImported } of invoices) {
    const fields = toInvoiceFields(sealed)
    const own = leaves.get(sealed.serialNumber) ?? []
    const hash = sealInvoiceOf(fields, own)
    seals.push(hash)
    await bills.write(`${raw}\n`)
    const entry = { seal: fields, hash, lines: own.length, content_hash: contentHash, record: toMeasure(raw) }
    const beside = { tie_out: toTieOut(proof.tieOut), not_imported: notImported.map(toRecord) }
    await sealInvoices.write(`${JSON.stringify({ ...entry, ...beside })}\n`)
  }
  const seal = scope.kind === 'invoice' ? (seals[0] ?? '') : sealPeriod(toSealedPeriod(scope), seals)
  const totals = sumPack(invoices, sums)
  const checker = readFileSync(besides('check_pack.py'), 'utf8')
  const program = await PackFile.create(folder, 'check_pack.py')
  await program.write(checker)
  const files = await Promise.all([lines, records, bills, sealLines, sealInvoices, program].map((file) => file.end()))
  const counts = { lines: lineCount, invoices: invoices.length }
  const manifest = await PackFile.create(folder, 'manifest.json')
  const digits = toDigits([...totals.map(({ currency }) => currency), ...flagged.map(({ currency }) => currency)])
  await manifest.write(
    `${JSON.stringify(toManifest(head, { seal, totals, files, counts, digits }, invoices[0]), null, 2)}\n`,
  )
  return {
    invoices: invoices.map((invoice) => ({
      ...invoice,
      lineCount: leaves.get(invoice.sealed.serialNumber)?.length ?? 0,
    })),
    flagged,
    lineCount,
    totals,
    seal,
    files: [...files, await manifest.end()],
    checkerLines: checker.split('\n').length - 1,
  }
}

async function openAll<const Names extends readonly string[]>(folder: string, names: Names) {
  return (await Promise.all(names.map((name) => PackFile.create(folder, name)))) as {
    [At in keyof Names]: PackFile
  }
}

/** Its length in bytes and its SHA-256: where it stands in its file, and that it is this. */
function toMeasure(text: string): [bytes: number, sha256: string] {
  return [Buffer.byteLength(text), hashText(text)]
}

function withoutRecord({
  raw: _raw,
  explained: _explained,
  ...line
}: FlaggedLine & { raw: string; explained: string[] }): FlaggedLine {
  return line
}

function toTieOut({
  lines,
  notImported,
  creditUsed,
  comesTo,
  total,
  difference,
  unexplained,
}: PackInvoice['proof']['tieOut']) {
  return {
    lines: toPlainDecimal(lines),
    not_imported: toPlainDecimal(notImported.amount),
    credit_used: creditUsed === null ? '0' : toPlainDecimal(creditUsed),
    comes_to: toPlainDecimal(comesTo),
    total: toPlainDecimal(total),
    difference: toPlainDecimal(difference),
    unexplained: toPlainDecimal(unexplained),
  }
}

/** Of a line that was not imported; its invoice is the entry's. */
function toRecord({ currency, total, why, where, record }: NotImported) {
  return { currency, total: total === null ? null : toPlainDecimal(total), why, where, record }
}

function toSealedPeriod(scope: Exclude<PackScope, { kind: 'invoice' }>) {
  const { kind, connectionId, month } = scope
  return { kind, connectionId, month, profileId: scope.kind === 'profile_month' ? scope.profileId : null }
}

/** The decimals of each currency's minor unit (ISO 4217), by which the contract rounds. */
function toDigits(currencies: readonly string[]): Record<string, number> {
  return Object.fromEntries([...new Set(currencies)].sort().map((currency) => [currency, currencyDigits(currency)]))
}

type Made = {
  seal: string
  totals: PackTotal[]
  files: FileFacts[]
  counts: { lines: number; invoices: number }
  digits: Record<string, number>
}

function toManifest(head: PackHead, { seal, totals, files, counts, digits }: Made, first: PackInvoice | undefined) {
  const { scope } = head
  const counted = ({ count, amount }: Counted) => ({ count, amount: toPlainDecimal(amount) })
  return {
    format: 'tieout-pack-1',
    asked_at: head.askedAt,
    asked_by: head.askedBy,
    organization: { id: head.organizationId, name: head.organization },
    scope: {
      kind: scope.kind,
      connection: scope.connectionId,
      connection_name: head.connection,
      ...(scope.kind === 'invoice' ? { serial_number: scope.serialNumber } : { month: scope.month }),
      ...(scope.kind === 'profile_month' ? { profile: scope.profileId, profile_name: first?.profileName ?? null } : {}),
    },
    seal,
    versions: { seal: 'tieout-seal-1', ...first?.sealed.versions },
    ...counts,
    digits,
    totals: Object.fromEntries(
      totals.map((total) => [
        total.currency,
        {
          lines: counted(total.lines),
          invoices: counted(total.invoices),
          not_imported: toPlainDecimal(total.notImported),
          credit_used: toPlainDecimal(total.creditUsed),
          comes_to: toPlainDecimal(total.comesTo),
          difference: toPlainDecimal(total.difference),
          unexplained: toPlainDecimal(total.unexplained),
        },
      ]),
    ),
    signatures: head.signatures,
    files: Object.fromEntries(files.map(({ name, size, sha256 }) => [name, { size, sha256 }])),
  }
}
