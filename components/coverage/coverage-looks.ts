import type { CoverageState } from '#lib/ledger/model.ts'

/**
 * How a cell looks: filled, striped, struck through, dashed or outlined. The shape carries the
 * meaning; the color only helps.
 */
export const CELL_LOOKS: Record<CoverageState, string> = {
  verified: 'coverage-verified',
  held: 'coverage-held',
  unread: 'striped border border-line2',
  gone: 'coverage-gone',
  empty: 'border border-line2',
  before: 'border border-line2 border-dashed',
}
