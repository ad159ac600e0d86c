import type { InvoiceChanges, LineChange, RecordChange, RemovedLine } from '#lib/ledger/model.ts'
import { compareDecimals, type DecimalText, negateDecimal, sumDecimals } from '#lib/reconcile/money.ts'
import type { FieldChange, FigureUnit } from '#lib/reconcile/record-diff.ts'
import { isSummary } from './field-words.ts'

/** What a changed field means for the money; only `money` is part of the bridge. */
export type ChangeEffect =
  | { kind: 'money'; amount: DecimalText; currency: string }
  | { kind: 'difference'; difference: DecimalText; unit: FigureUnit; currency: string }
  | { kind: 'moved'; amount: DecimalText; currency: string }
  | { kind: 'currency'; before: string; after: string }
  | { kind: 'none' }

/**
 * One row of the list of changes: a removed invoice or line, one changed field, or fields that only
 * follow.
 */
export type ChangeRow =
  | { kind: 'removed invoice'; invoice: NonNullable<InvoiceChanges['removedInvoice']> }
  | { kind: 'removed'; line: RemovedLine; effect: ChangeEffect }
  | { kind: 'field'; line: LineChange | null; field: FieldChange; currency: string; effect: ChangeEffect | null }
  | { kind: 'summary'; fields: FieldChange[]; followsLines: boolean; currency: string }

/** The rows of one group, and how many of its lines only repeat or restate something. */
export type ChangeRows = { rows: ChangeRow[]; inheritedCount: number; restatedCount: number }

/**
 * Money first: a removed invoice and removed lines, changed lines with the total before other
 * fields, then the invoice.
 */
export function toChangeRows(group: InvoiceChanges): ChangeRows {
  const restated = group.lines.filter(({ fields }) => fields.length === 0)
  const inherited = group.lines.filter(({ isInherited }) => isInherited)
  const own = group.lines.filter((line) => line.fields.length > 0 && !line.isInherited)
  return {
    rows: [
      ...(group.removedInvoice === null ? [] : [{ kind: 'removed invoice' as const, invoice: group.removedInvoice }]),
      ...group.removed.map((line): ChangeRow => ({ kind: 'removed', line, effect: toRemovedEffect(line) })),
      ...own.flatMap((line) => toFieldRows(line.fields, line, line)),
      ...group.invoice.flatMap((change) => toInvoiceRows(change, group)),
    ],
    inheritedCount: inherited.length,
    restatedCount: restated.length,
  }
}

function toRemovedEffect({ totalAmount, currency }: RemovedLine): ChangeEffect {
  return { kind: 'money', amount: negateDecimal(totalAmount), currency }
}

function toFieldRows(fields: FieldChange[], change: RecordChange, line: LineChange | null): ChangeRow[] {
  const { currency } = change.after
  const sorted = [...fields].sort((a, b) => Number(isTotal(b)) - Number(isTotal(a)))
  const hasTotal = sorted.some(isTotal)
  return sorted.map((field, at) => {
    const own = toEffect(field, change, line !== null)
    const isFirst = at === 0 && !hasTotal
    return { kind: 'field', line, field, currency, effect: own ?? (isFirst ? toWholeEffect(change) : null) }
  })
}

function toInvoiceRows(change: RecordChange, group: InvoiceChanges): ChangeRow[] {
  const followsLines = isSumOfLines(change, group)
  const isFolded = (field: FieldChange) => isSummary(field) || (followsLines && isTotal(field))
  const fields = change.fields.filter(isFolded)
  const rows = toFieldRows(
    change.fields.filter((field) => !isFolded(field)),
    change,
    null,
  )
  if (fields.length === 0) return rows
  return [...rows, { kind: 'summary', fields, followsLines, currency: change.after.currency }]
}

/**
 * Whether the invoice's total differs by exactly what its lines differ by, all of which are here.
 */
function isSumOfLines({ effect }: RecordChange, { lines, lineCount, removed, removedCount }: InvoiceChanges): boolean {
  if (effect === null || lines.length < lineCount || removed.length < removedCount) return false
  if (lines.length + removed.length === 0 || lines.some((line) => line.effect === null)) return false
  const sum = sumDecimals([
    ...lines.map((line) => line.effect?.difference as DecimalText),
    ...removed.map(({ totalAmount }) => negateDecimal(totalAmount)),
  ])
  return compareDecimals(sum, effect.difference) === 0
}

function toEffect(field: FieldChange, { after, effect }: RecordChange, isLine: boolean): ChangeEffect | null {
  const { path, unit, difference } = field
  if (isLine && isTotal(field) && effect !== null)
    return { kind: 'money', amount: effect.difference, currency: effect.currency }
  if (unit !== null && difference !== null) return { kind: 'difference', difference, unit, currency: after.currency }
  if (isLine && path === 'metadata.cost_center') return { kind: 'moved', ...after }
  return null
}

/** What a change without a new total means. */
function toWholeEffect({ before, after, effect }: RecordChange): ChangeEffect {
  return effect === null ? { kind: 'currency', before: before.currency, after: after.currency } : { kind: 'none' }
}

function isTotal({ path }: FieldChange): boolean {
  return path === 'total_amount' || path === 'total'
}
