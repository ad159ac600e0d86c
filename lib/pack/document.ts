/** What the document of a pack says, as the template reads it. Pure; the same for the same pack. */
import { formatAmount, formatCount } from '#lib/reconcile/format.ts'
import { type DecimalText, isZeroDecimal } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_LABELS, TIE_OUT_WORDS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { describeReasons } from '#lib/reconcile/reasons/words.ts'
import type { PackTotal } from './pack-totals.ts'
import { toPrintableData } from './printable.ts'
import type { PackSignature } from './signatures.ts'
import type { FlaggedLine, PackContents, PackHead } from './write-contents.ts'

/** So many rows of a table; a longer one says how many there are, and where all of them stand. */
const MOST_ROWS = 1000

/** In its place stands the hash of the whole file, once it is made. */
export const KEYWORD = 'tieout-sha256:'

const LINE_FINDINGS: Record<string, string> = {
  total: 'Total does not add up',
  tax: 'Tax does not match its rate',
}
const STANDS: Record<string, string> = {
  open: 'Open',
  accepted: 'Accepted',
  disputed: 'Disputed',
  settled: 'Settled',
  suspended: 'Changed since',
}
/** What ended a sign-off, after “ended by”. */
const CAUSES: Record<string, string> = {
  changed: 'a change of a line',
  gone: 'a line that the platform removed',
  back: 'a line that came back',
  new_line: 'a new line',
  proof: 'another proof of a line',
  checks: 'another setting of a check',
  decided: 'a decision',
  compared: 'a comparison with other lines',
  invoice: 'a change of the invoice',
  withdrawn: 'whoever signed, who took it back',
  superseded: 'a newer one',
}
const FILES: Record<string, { type: string; relation: string; description: string }> = {
  'lines.csv': { type: 'text/csv', relation: 'data', description: 'Every line, with its proof and decision' },
  'records.jsonl': { type: 'application/json', relation: 'source', description: 'The lines as the platform sent them' },
  'invoices.jsonl': {
    type: 'application/json',
    relation: 'source',
    description: 'The invoices as the platform sent them',
  },
  'seal-lines.jsonl': {
    type: 'application/json',
    relation: 'data',
    description: 'What the seal is made of, line by line',
  },
  'seal-invoices.jsonl': {
    type: 'application/json',
    relation: 'data',
    description: 'What the seal is made of, by invoice, and records of lines that were not imported',
  },
  'manifest.json': { type: 'application/json', relation: 'data', description: 'Scope, seal, totals and hashes' },
  'check_pack.py': { type: 'text/x-python', relation: 'supplement', description: 'The checker' },
}

export function toDocument(head: PackHead, contents: PackContents, fileName: string) {
  const { invoices, flagged, lineCount, totals, seal, files, checkerLines } = contents
  const notImported = invoices.flatMap((invoice) => invoice.notImported)
  const flaggedInvoices = invoices.filter(({ proof }) => proof.findings.length > 0 && !proof.isGone)
  return {
    ...toPrintableData({
      title: `Evidence pack: ${toTitle(head, invoices[0])}`,
      organization: head.organization,
      facts: toFacts(head, contents),
      totals: totals.map(toTable),
      signatures: head.signatures.map(toSignature),
      findings: flagged.slice(0, MOST_ROWS).map(toFinding),
      findingCount: flagged.length,
      invoiceFindings: flaggedInvoices.slice(0, MOST_ROWS).flatMap((invoice) =>
        invoice.proof.findings.map(({ code, amount }) => ({
          invoice: invoice.sealed.serialNumber,
          finding: INVOICE_FINDING_LABELS[code],
          amount: amount === null ? '' : money(amount, invoice.sealed.currency),
          decision: STANDS[invoice.stands] ?? invoice.stands,
          why: invoice.decided === null ? '' : toWhy(invoice.decided),
        })),
      ),
      notImported: notImported.slice(0, MOST_ROWS).map(({ invoice, total, currency, why }) => ({
        invoice,
        why,
        total: total === null || currency === null ? 'unreadable' : money(total, currency),
      })),
      notImportedCount: notImported.length,
      invoices: invoices.slice(0, MOST_ROWS).map(({ sealed, proof, lineCount: count }) => ({
        invoice: sealed.serialNumber,
        issued: sealed.issuingDate ?? '',
        lines: formatCount(count),
        comesTo: money(proof.tieOut.comesTo, sealed.currency),
        total: money(proof.tieOut.total, sealed.currency),
        unexplained: isZeroDecimal(proof.tieOut.unexplained) ? '' : money(proof.tieOut.unexplained, sealed.currency),
      })),
      invoiceCount: invoices.length,
      lineCount: formatCount(lineCount),
      made: `Asked for by ${head.askedBy} on ${toMoment(head.askedAt)}.`,
    }),
    seal,
    keyword: `${KEYWORD}${'0'.repeat(64)}`,
    checkerLines,
    fileName,
    // the typesetter cannot attach an empty file; the manifest says that it is one
    attached: files.filter(({ size }) => size > 0).map(({ name }) => ({ name, ...FILES[name] })),
    files: files.map(({ name, size, sha256 }) => ({ name, size: formatCount(size), sha256 })),
  }
}

function toTitle({ scope, connection }: PackHead, first: PackContents['invoices'][number] | undefined): string {
  if (scope.kind === 'invoice') return `invoice ${scope.serialNumber}`
  return `${scope.month}, ${scope.kind === 'profile_month' ? (first?.profileName ?? scope.profileId) : connection}`
}

function toFacts(head: PackHead, { invoices, lineCount }: PackContents): [string, string][] {
  const { scope } = head
  const [first] = invoices
  const profile = first?.profileName ?? first?.sealed.profileId ?? null
  const own: [string, string][] =
    scope.kind === 'invoice' ? [['Invoice', scope.serialNumber]] : [['Month of issue', scope.month]]
  return [
    ['Organization', head.organization],
    ['Account', head.connection],
    ...(scope.kind === 'connection_month' || profile === null ? [] : [['Profile', profile] as [string, string]]),
    ...own,
    ['Contents', `${count(invoices.length, 'invoice')}, ${count(lineCount, 'line')}`],
    ['As of', toMoment(head.askedAt)],
  ]
}

const count = (many: number, one: string) => `${formatCount(many)} ${one}${many === 1 ? '' : 's'}`
const money = (amount: DecimalText, currency: string) => `${formatAmount(amount, currency)} ${currency}`

/** `2026-11-26T10:00:00Z` as `2026-11-26 10:00 UTC`. */
function toMoment(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
}

function toTable({ currency, ...total }: PackTotal) {
  const row = (
    label: string,
    amount: DecimalText,
    { count, strong = false }: { count?: number; strong?: boolean } = {},
  ) => ({
    label,
    count: count === undefined ? '' : formatCount(count),
    amount: formatAmount(amount, currency),
    strong,
  })
  return {
    currency,
    rows: [
      row('Lines', total.linesOfInvoices, { count: total.lines.count }),
      row('Not imported', total.notImported),
      row('Credit used, taken off', total.creditUsed),
      row('Comes to', total.comesTo, { strong: true }),
      row('Invoices', total.invoices.amount, { count: total.invoices.count }),
      row('Difference', total.difference, { strong: true }),
      ...total.explained.map(({ reason, amount }) => row(`Explained: ${TIE_OUT_WORDS[reason]}`, amount)),
      row('Unexplained', total.unexplained, { strong: true }),
    ],
  }
}

function toSignature({ step, name, role, at, seal, residuals, ended }: PackSignature) {
  return {
    step: step === 'prepared' ? 'Prepared' : 'Approved',
    by: `${name} (${role})`,
    at: toMoment(at),
    state:
      ended === null
        ? `stands, seal ${seal.slice(0, 16)}`
        : `ended ${toMoment(ended.at)} by ${CAUSES[ended.cause] ?? ended.cause}`,
    residuals: residuals.map(
      ({ currency, amount, reason, note }) =>
        `${money(amount, currency)}: ${[reason, note].filter(Boolean).join(', ')}`,
    ),
  }
}

function toFinding(line: FlaggedLine) {
  const { findings, explainedCodes, currency, difference, taxDifference, reasonCodes, isGone } = line
  const explained = findings.filter((code) => toCodes(explainedCodes).includes(code))
  const reasons = explained.flatMap((code) => describeReasons(code, toCodes(reasonCodes)))
  return {
    line: line.id,
    invoice: line.invoiceSerialNumber,
    what:
      [line.description, line.vendorName].filter(Boolean).join(', ') +
      (isGone === 'true' ? ' (removed by the platform)' : ''),
    finding: findings.map((code) => LINE_FINDINGS[code] ?? code).join('; '),
    reasons: reasons.length === 0 ? '' : `explained by ${[...new Set(reasons)].join('; ')}`,
    difference: `${formatAmount(isZeroDecimal(difference) ? taxDifference : difference, currency, { sign: 'always' })} ${currency}`,
    decision: STANDS[line.review] ?? line.review,
    why:
      line.reviewBy === null || line.reviewAt === null
        ? ''
        : toWhy({ reason: line.reviewReason, note: line.reviewNote, by: line.reviewBy, at: line.reviewAt }),
  }
}

const toCodes = (joined: string | null) => (joined ?? '').split(' ').filter(Boolean)

function toWhy({
  reason,
  note,
  by,
  at,
}: {
  reason: string | null
  note: string | null
  by: string
  at: string
}): string {
  return `${[reason, note].filter(Boolean).join(': ')}${reason === null && note === null ? '' : '; '}${by}, ${toMoment(at)}`
}
