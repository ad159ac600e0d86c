// Runs in the browser. The arithmetic of one line as a table for a monospaced font.
import type { DecimalText } from '../money.ts'
import type { LetterLine } from './letter-figures.ts'
import { type LetterLanguage, writeAmount, writeNumber } from './letter-format.ts'
import { LETTER_WORDS } from './letter-words.ts'
import { countColumns, TEXT_COLUMNS, wrapText } from './plain-text.ts'

type Row = { label: string; figure: string }

const INDENT = '  '
const GAP = 2
/** A label keeps at least so much room; a figure that takes it has a line of its own. */
const SHORTEST_LABEL = 12

export type EquationOptions = {
  currency: string
  language: LetterLanguage
  /** Says what is expected back for this line, if its difference does not. */
  hasCredit: boolean
}

/**
 * The rows in the order in which a line is checked, as on screen (`toEquation`): the units, the
 * tax, then expected, stated and difference, the same for a tax that is off, and both together.
 * Figures stand under each other by their decimals; no line is longer than a mail has columns.
 */
export function writeEquation(line: LetterLine, options: EquationOptions): string[] {
  return layOut(listRows(line, options), options)
}

function listRows(line: LetterLine, { currency, language, hasCredit }: EquationOptions): Row[] {
  const words = LETTER_WORDS[language]
  const amount = (value: DecimalText, isSigned = false) => writeAmount(value, currency, language, { isSigned })
  const row = (label: string, value: DecimalText, isSigned = false): Row => ({ label, figure: amount(value, isSigned) })
  const taxOfTaxable = words.tax(words.percent(writeNumber(line.taxPercentage, language)), amount(line.taxable))
  const isTaxRight = isZero(line.taxDifference)
  const rows = [
    row(toUnitsLabel(line, amount, language), line.units),
    row(`+ ${isTaxRight ? taxOfTaxable : words.taxAsStated}`, line.taxAmount),
    row(words.expected, line.expectedTotal),
    row(words.stated, line.totalAmount),
    row(words.difference, line.difference, true),
  ]
  if (!isTaxRight)
    rows.push(
      row(taxOfTaxable, line.expectedTax),
      row(words.taxStated, line.taxAmount),
      row(words.difference, line.taxDifference, true),
      row(words.together, line.together, true),
    )
  if (hasCredit) rows.push(row(words.creditExpected, line.expectedBack))
  return rows
}

/** `2 × (120.50 + 14.00)`, or `3 × 33.33333333` without a non-taxable part. */
function toUnitsLabel(line: LetterLine, amount: (value: DecimalText) => string, language: LetterLanguage): string {
  const quantity = writeNumber(line.quantity, language)
  if (isZero(line.nonTaxableUnitPrice)) return `${quantity} × ${amount(line.unitPrice)}`
  const rest = amount(line.nonTaxableUnitPrice)
  const isMinus = rest.startsWith('\u2212')
  return `${quantity} × (${amount(line.unitPrice)} ${isMinus ? `\u2212 ${rest.slice(1)}` : `+ ${rest}`})`
}

function layOut(rows: readonly Row[], { currency, language }: EquationOptions): string[] {
  const decimals = rows.map(({ figure }) => countDecimals(figure, language))
  const most = Math.max(...decimals)
  const figures = rows.map(({ figure }, at) => figure + ' '.repeat(most - (decimals[at] ?? 0)))
  const widest = Math.max(...figures.map(countColumns))
  const room = TEXT_COLUMNS - INDENT.length - GAP - widest - 1 - countColumns(currency)
  if (room < SHORTEST_LABEL) return rows.flatMap((row) => stack(row, currency))
  const longest = Math.max(...rows.map(({ label }) => countColumns(label)))
  const columns = Math.min(longest, room)
  return rows.flatMap(({ label }, at) => {
    const lines = wrapText(label, columns)
    const last = lines.pop() ?? ''
    const figure = (figures[at] ?? '').padStart(widest)
    const filled = last + ' '.repeat(columns - countColumns(last) + GAP)
    return [...lines.map((each) => INDENT + each), `${INDENT}${filled}${figure} ${currency}`]
  })
}

/** The decimals with their sign: what stands to the right of the last whole digit. */
function countDecimals(figure: string, language: LetterLanguage): number {
  const at = figure.lastIndexOf(language === 'en' ? '.' : ',')
  return at < 0 ? 0 : figure.length - at
}

/** Figures of sixty digits and more: beneath their label, over as many lines as they take. */
function stack({ label, figure }: Row, currency: string): string[] {
  const inner = INDENT + INDENT
  return [
    ...wrapText(label, TEXT_COLUMNS - INDENT.length).map((each) => INDENT + each),
    ...wrapText(`${figure} ${currency}`, TEXT_COLUMNS - inner.length).map((each) => inner + each),
  ]
}

function isZero(value: DecimalText): boolean {
  return !/[1-9]/.test(value)
}
