import type { Habits } from '../checks/judge.ts'
import type { LineProof } from '../line-proof.ts'
import { type ExactNumber, toExact } from '../money.ts'
import { CONVENTIONS, type Convention, type Explanation } from '../reason.ts'
import {
  type ConventionFigure,
  type ExplainableLine,
  includeTax,
  keepTaxDigits,
  openLine,
  roundTaxes,
  roundTotals,
  taxNonTaxable,
  turnSigns,
  undoDivision,
} from './conventions.ts'

/**
 * Tries every named convention on the failed checks of a line, exactly. The same line always gets
 * the same answer.
 *
 * A convention explains a difference if it gives the stated figure to the last digit. As nobody has
 * established yet which way of rounding the issuer follows, the ways of rounding are rivals: where
 * two of them would give different figures, neither is a reason for a difference that rounding
 * could cause (decision 019). Both figures of a line have to fit when a convention puts the whole
 * line together.
 *
 * Where a habit of the issuer is established, there are no rivals: the habit explains what it fits,
 * and nothing else does (decision 026).
 */
export function explainLine(line: ExplainableLine, proof: LineProof, habits: Habits = {}): Explanation[] {
  if (proof.findings.length === 0) return []
  const open = openLine(line)
  const isBuilt = (built: { tax: ExactNumber; total: ExactNumber }) =>
    built.tax.equals(open.tax) && built.total.equals(open.total)
  const divided = undoDivision(open)
  const included = includeTax(open)
  const whole: Convention[] = []
  if (included !== null && isBuilt(included)) whole.push('price_with_tax')
  if (turnSigns(open).some(isBuilt)) whole.push('credit_sign')

  return proof.findings.map(({ code }): Explanation => {
    const isTax = code === 'tax'
    const stated = isTax ? open.tax : open.total
    const expected = toExact(isTax ? proof.expectedTax : proof.expectedTotal)
    const rounded = (isTax ? roundTaxes(open) : roundTotals(open)).filter(({ figure }) => !figure.equals(expected))
    const fits = new Set<Convention>(whole)
    for (const { convention, figure } of rounded) if (figure.equals(stated)) fits.add(convention)
    if (isTax && taxNonTaxable(open)?.equals(stated)) fits.add('tax_on_non_taxable')
    if (isTax && divided?.tax.equals(stated)) fits.add('price_divided')
    // digits that the currency does not have fit nothing by chance
    const certain = new Set<Convention>()
    if (isTax && keepTaxDigits(open)?.equals(stated)) certain.add('tax_per_document')
    if (!isTax && divided?.total.equals(stated)) certain.add('price_divided')

    const habit = habits[code]
    if (habit !== undefined && (fits.has(habit) || certain.has(habit)))
      return { code, isExplained: true, conventions: [habit] }
    const mayBeChance = isWithinReach(stated, expected, rounded)
    const isListed = (each: Convention) => certain.has(each) || (fits.has(each) && !(certain.size > 0 && mayBeChance))
    return {
      code,
      isExplained: habit === undefined && (certain.size > 0 || (fits.size > 0 && !mayBeChance)),
      conventions: CONVENTIONS.filter(isListed),
    }
  })
}

/** Whether rounding could cause the difference, and its ways do not agree on the figure. */
function isWithinReach(stated: ExactNumber, expected: ExactNumber, rounded: readonly ConventionFigure[]): boolean {
  if (rounded.every(({ figure }) => figure.equals(stated))) return false
  const size = stated.minus(expected).abs()
  return rounded.some(({ figure }) => figure.minus(expected).abs().greaterThanOrEqualTo(size))
}
