/**
 * Whether an invoice's total is what its lines come to, and what explains it if not
 * (docs/decisions/020-tie-out.md).
 */
import type { Completeness, TaxesCheck } from './completeness.ts'
import { currencyDigits } from './currency.ts'
import type { Day } from './day.ts'
import type { InvoiceFinding, InvoiceFindingCode, TieOutReason } from './invoice-finding.ts'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  decimalScale,
  isZeroDecimal,
  roundHalfAwayFromZero,
  subtractDecimals,
  sumDecimals,
  toSize,
} from './money.ts'

/** Lines that are in no sum of lines, and their totals as far as these can be read. */
export type SetAside = {
  lineCount: number
  /** The sum of the totals that can be read and are in the invoice's currency. */
  amount: DecimalText
  /** Lines whose total is not in `amount`. */
  unknownCount: number
}

export const NOTHING_ASIDE: SetAside = { lineCount: 0, amount: '0' as DecimalText, unknownCount: 0 }

/** One invoice beside its lines. All amounts are in its currency and exact. */
export type InvoiceTieOut = {
  lines: DecimalText
  /** Lines that could not be imported, with the totals that they state. */
  notImported: SetAside
  /** Lines that the platform removed; in no sum, but a reason where the total still has them. */
  removed: SetAside
  /** Taken off the lines, so never below zero; null if the invoice does not say. */
  creditUsed: DecimalText | null
  /** lines + not imported - credit used. */
  comesTo: DecimalText
  total: DecimalText
  /** total - comes to. */
  difference: DecimalText
  /** What explains the whole difference, part by part; empty if nothing does. */
  explained: { reason: TieOutReason; amount: DecimalText }[]
  /** The difference if nothing explains it, else zero. */
  unexplained: DecimalText
}

/**
 * Ties an invoice out. A difference is explained only as a whole: by the fewest reasons that come
 * exactly to it at the precision of the stated total; what is left below that is rounding.
 */
export function tieOutInvoice(
  currency: string,
  { total: { stated, held, creditUsed }, taxes }: Pick<Completeness, 'total' | 'taxes'>,
  { notImported, removed }: { notImported: SetAside; removed: SetAside },
): InvoiceTieOut {
  const credit = creditUsed === null ? null : toSize(creditUsed)
  const comesTo = subtractDecimals(addDecimals(held, notImported.amount), credit ?? ZERO)
  const difference = subtractDecimals(stated, comesTo)
  const digits = Math.max(decimalScale(stated), currencyDigits(currency))
  const explained = explain({ comesTo, total: stated, digits }, [
    { reason: 'removed_line', amount: removed.amount },
    { reason: 'credit_not_deducted', amount: credit ?? ZERO },
    { reason: 'tax_per_document', amount: toRoundedTaxes(taxes.groups) },
  ])
  const unexplained = subtractDecimals(difference, sumDecimals(explained.map(({ amount }) => amount)))
  return {
    lines: held,
    notImported,
    removed,
    creditUsed: credit,
    comesTo,
    total: stated,
    difference,
    explained,
    unexplained,
  }
}

const ZERO = '0' as DecimalText

/** What has a reason other than the rounding of the total, which is below the stated precision. */
export function sumExplained({ explained }: { explained: readonly InvoiceTieOut['explained'][number][] }): DecimalText {
  return sumDecimals(explained.flatMap(({ reason, amount }) => (reason === 'rounding' ? [] : amount)))
}

type Part = InvoiceTieOut['explained'][number]

function explain(
  { comesTo, total, digits }: { comesTo: DecimalText; total: DecimalText; digits: number },
  candidates: readonly Part[],
): Part[] {
  const withParts = (parts: readonly Part[]) => sumDecimals([comesTo, ...parts.map(({ amount }) => amount)])
  const possible = candidates.filter(({ amount }) => !isZeroDecimal(amount))
  // rounded as a whole, once, as the proof of completeness does
  const fitting = listSubsets(possible).find(
    (parts) => compareDecimals(roundHalfAwayFromZero(withParts(parts), digits), total) === 0,
  )
  if (fitting === undefined) return []
  const rest = subtractDecimals(total, withParts(fitting))
  return isZeroDecimal(rest) ? fitting : [...fitting, { reason: 'rounding', amount: rest }]
}

/** All ways to choose among them, the smallest first, in their order. */
function listSubsets<T>(all: readonly T[]): T[][] {
  const subsets: T[][] = [[]]
  for (const each of all) subsets.push(...subsets.map((parts) => [...parts, each]))
  return subsets.sort((a, b) => a.length - b.length)
}

/** What the rounding of taxes per document adds to the total, by the invoice's own summary. */
function toRoundedTaxes(groups: readonly TaxesCheck[]): DecimalText {
  return sumDecimals(groups.flatMap(({ outcome, difference }) => (outcome === 'explained' ? (difference ?? []) : [])))
}

/** `compared`: what its lines are beside other lines of the account, each code once. */
type InvoiceFacts = {
  mode: string | null
  issuingDate: Day | null
  dueDate: Day | null
  compared: readonly InvoiceFinding[]
}

/**
 * What is wrong with an invoice itself, each code once; its lines have findings of their own.
 * Nothing is a finding that is only rounding below the stated precision, or the credit that was
 * used.
 */
export function listInvoiceFindings(
  { verdict, taxes, otherCurrencyLineCount }: Completeness,
  tieOut: InvoiceTieOut,
  { mode, issuingDate, dueDate, compared }: InvoiceFacts,
): InvoiceFinding[] {
  const found: InvoiceFinding[] = []
  const add = (code: InvoiceFindingCode, amount: DecimalText | null) => found.push({ code, amount })
  const isTied = isZeroDecimal(tieOut.unexplained)
  const explained = tieOut.explained.filter(({ reason }) => reason !== 'rounding').map(({ amount }) => amount)
  if (!isTied) add('total', tieOut.unexplained)
  else if (explained.length > 0) add('total_explained', sumDecimals(explained))
  found.push(...compared)
  if (verdict === 'lines_missing') add('lines_missing', null)
  if (tieOut.notImported.lineCount > 0)
    add('not_imported', tieOut.notImported.unknownCount > 0 ? null : tieOut.notImported.amount)
  if (otherCurrencyLineCount > 0) add('other_currency', null)
  // a line that is in no sum is missing in its regime, too, and is named already
  const isOfSetAside = isTied && (tieOut.notImported.lineCount > 0 || explained.length > 0)
  for (const [code, amounts] of Object.entries(toRegimeDifferences(taxes.groups, isOfSetAside)))
    if (amounts.length > 0) add(code as InvoiceFindingCode, toLargest(amounts))
  const isCredit = mode !== null && /^credit(-|$)/.test(mode)
  if (isCredit && compareDecimals(tieOut.total, ZERO) > 0) add('credit_sign', tieOut.total)
  if (issuingDate !== null && dueDate !== null && dueDate < issuingDate) add('due_before_issued', null)
  return found
}

/** Differences of two regimes may cancel, so they are not added up. */
function toLargest(amounts: readonly DecimalText[]): DecimalText {
  return amounts.reduce((most, each) => (compareDecimals(toSize(each), toSize(most)) > 0 ? each : most))
}

function toRegimeDifferences(groups: readonly TaxesCheck[], isOfSetAside: boolean) {
  const differing = isOfSetAside ? [] : groups.filter(({ outcome }) => outcome === 'differs')
  const nonZero = (amounts: (DecimalText | null)[]) =>
    amounts.filter((amount): amount is DecimalText => amount !== null && !isZeroDecimal(amount))
  return {
    regime_total: nonZero(differing.map(({ difference }) => difference)),
    regime_tax: nonZero(differing.map(({ taxDifference }) => taxDifference)),
    regime_subtotal: nonZero(
      differing.map(({ difference, taxDifference }) =>
        difference === null || taxDifference === null ? null : subtractDecimals(difference, taxDifference),
      ),
    ),
  }
}
