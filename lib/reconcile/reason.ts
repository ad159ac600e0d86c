import type { FindingCode } from './line-proof.ts'

/**
 * The named ways of reckoning a line that issuers are known to use beside the contract’s, by their
 * stable codes. `tax_*` and `total_*` are ways of rounding and touch one figure; the last three say
 * that a line is put together in another way.
 */
export const CONVENTIONS = [
  'tax_half_even',
  'tax_half_down',
  'tax_truncated',
  'tax_per_unit',
  'tax_per_unit_half_even',
  'tax_per_unit_half_down',
  'tax_per_unit_truncated',
  'tax_per_document',
  'tax_on_non_taxable',
  'total_half_even',
  'total_half_down',
  'total_truncated',
  'total_per_unit',
  'total_per_unit_half_even',
  'total_per_unit_half_down',
  'total_per_unit_truncated',
  'total_by_parts',
  'total_of_unrounded_tax',
  'price_divided',
  'price_with_tax',
  'credit_sign',
] as const

export type Convention = (typeof CONVENTIONS)[number]

/** Whether a convention says something about one check of a line: some speak of both. */
export function isReasonOf(code: FindingCode | string, convention: string): boolean {
  return !convention.startsWith(code === 'tax' ? 'total_' : 'tax_')
}

/**
 * Why one check of a line failed. `conventions` are all that give exactly the stated figure, in the
 * order of `CONVENTIONS`; without any, or when they may fit by chance, `isExplained` is false.
 */
export type Explanation = { code: FindingCode; isExplained: boolean; conventions: Convention[] }

/** As a line keeps it: null where nothing fails. `reasons`: what fits, each once. */
export type KeptReasons = { explained: FindingCode[]; reasons: Convention[] } | null

export function toKeptReasons(explanations: readonly Explanation[]): KeptReasons {
  if (explanations.length === 0) return null
  return {
    explained: explanations.filter(({ isExplained }) => isExplained).map(({ code }) => code),
    reasons: CONVENTIONS.filter((each) => explanations.some(({ conventions }) => conventions.includes(each))),
  }
}
