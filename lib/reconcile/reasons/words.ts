import type { FindingCode } from '../line-proof.ts'
import { type Convention, isReasonOf } from '../reason.ts'

/** Each convention in a finance person’s words: they go after “explained by”, and into files. */
export const CONVENTION_WORDS: Record<Convention, string> = {
  tax_half_even: 'tax rounded half to even',
  tax_half_down: 'tax rounded half down',
  tax_truncated: 'tax cut off, not rounded',
  tax_per_unit: 'tax rounded per unit',
  tax_per_unit_half_even: 'tax rounded per unit, half to even',
  tax_per_unit_half_down: 'tax rounded per unit, half down',
  tax_per_unit_truncated: 'tax cut off per unit',
  tax_per_document: 'tax left unrounded for the document',
  tax_on_non_taxable: 'tax also on the non-taxable part',
  total_half_even: 'total rounded half to even',
  total_half_down: 'total rounded half down',
  total_truncated: 'total cut off, not rounded',
  total_per_unit: 'price rounded per unit',
  total_per_unit_half_even: 'price rounded per unit, half to even',
  total_per_unit_half_down: 'price rounded per unit, half down',
  total_per_unit_truncated: 'price cut off per unit',
  total_by_parts: 'parts rounded before they are added',
  total_of_unrounded_tax: 'total made with unrounded tax',
  price_divided: 'unit price from a division',
  price_with_tax: 'unit price includes the tax',
  credit_sign: 'sign turned on a credit document',
}

/** The words of those of a line’s reasons that speak of one finding; unknown codes as they are. */
export function describeReasons(code: FindingCode | string, reasons: readonly string[]): string[] {
  return reasons
    .filter((reason) => isReasonOf(code, reason))
    .map((reason) => (Object.hasOwn(CONVENTION_WORDS, reason) ? CONVENTION_WORDS[reason as Convention] : reason))
}
