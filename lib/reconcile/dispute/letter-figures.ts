/** The arithmetic of a letter. On the server: it needs the decimal library, the letter does not. */
import type { LineProof, ProvableLine } from '../line-proof.ts'
import { addDecimals, type DecimalText, multiplyDecimals, sumDecimals } from '../money.ts'

/** The figures of a line as `toEquation` lays them out, all exact. */
type LetterArithmetic = {
  quantity: DecimalText
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  /** quantity * (unit price + non-taxable unit price). */
  units: DecimalText
  taxPercentage: DecimalText
  /** quantity * unit price. */
  taxable: DecimalText
  taxAmount: DecimalText
  expectedTax: DecimalText
  taxDifference: DecimalText
  totalAmount: DecimalText
  expectedTotal: DecimalText
  difference: DecimalText
  /** difference + tax difference. */
  together: DecimalText
}

export type LetterLine = LetterArithmetic & {
  /** Its place on the invoice, from 1; null if nobody knows. */
  number: number | null
  description: string
  expectedBack: DecimalText
}

/** Lines of one invoice, and what is expected back for all of them. */
export type LetterFigures = { currency: string; lines: LetterLine[]; expectedBack: DecimalText }

/** A disputed line, with its proof. */
export type LineForLetter = {
  number: number | null
  description: string
  line: ProvableLine
  proof: LineProof
  expectedBack: DecimalText
}

/**
 * The figures of a letter about these lines, in their order; null without any, and for lines of two
 * currencies, which no sum spans.
 */
export function toLetterFigures(lines: readonly LineForLetter[]): LetterFigures | null {
  const [first] = lines
  if (first === undefined) return null
  const { currency } = first.line
  if (lines.some(({ line }) => line.currency !== currency)) return null
  return {
    currency,
    lines: lines.map(toLine),
    expectedBack: sumDecimals(lines.map(({ expectedBack }) => expectedBack)),
  }
}

function toLine({ number, description, line, proof, expectedBack }: LineForLetter): LetterLine {
  const { quantity, unitPrice, nonTaxableUnitPrice, taxPercentage, taxAmount, totalAmount } = line
  const { expectedTotal, difference, expectedTax, taxDifference } = proof
  return {
    number,
    description,
    expectedBack,
    quantity,
    unitPrice,
    nonTaxableUnitPrice,
    units: multiplyDecimals(quantity, addDecimals(unitPrice, nonTaxableUnitPrice)),
    taxPercentage,
    taxable: multiplyDecimals(quantity, unitPrice),
    taxAmount,
    expectedTax,
    taxDifference,
    totalAmount,
    expectedTotal,
    difference,
    together: addDecimals(difference, taxDifference),
  }
}
