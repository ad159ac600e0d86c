/** Which later lines come exactly to what a dispute expects, by strength of evidence. */
import {
  compareDecimals,
  type DecimalText,
  decimalScale,
  isNegativeDecimal,
  isZeroDecimal,
  negateDecimal,
  subtractDecimals,
  toUnits,
} from '../money.ts'
import { type Candidate, EVIDENCE, type OpenDispute, STRENGTHS, type Strength } from './answer.ts'
import { type Link, linkOf, type ReadCandidate, type SoughtDispute } from './answer-evidence.ts'
import { findSubsetSums } from './subset-sums.ts'

/** What a candidate gives back, above zero. */
export type Giving = { amount: DecimalText; read: ReadCandidate }
export type Linked = Link & { candidate: Candidate; amount: DecimalText }
/** What fits one dispute, before others are looked at. */
export type Found = { dispute: OpenDispute; links: Linked[]; fits: Linked[][]; isTooMany: boolean }

/**
 * Sets of candidates that come exactly to what is expected: all that stand alone and up to two
 * sums. Weaker evidence is asked only where stronger evidence gives none, so it never makes a tie
 * with it; among equally good evidence every fit counts.
 */
export function findFits(sought: SoughtDispute, candidates: readonly Giving[]): Found {
  const { dispute } = sought
  const links: Linked[] = []
  for (const { amount, read } of candidates) {
    if (read.candidate.seenOn <= dispute.disputedOn) continue
    const link = linkOf(sought, read)
    if (link !== null) links.push({ ...link, candidate: read.candidate, amount })
  }
  links.sort(compareLinks)
  for (const weakest of STRENGTHS) {
    const pool = links.filter(({ strength }) => rankOf(strength) <= rankOf(weakest))
    if (!pool.some(({ strength }) => strength === weakest)) continue
    const singles = pool
      .filter(({ amount }) => compareDecimals(amount, dispute.expectedBack) === 0)
      .map((each) => [each])
    const sums = findSums(dispute.expectedBack, pool)
    const fits = [...singles, ...(sums ?? []).filter(({ length }) => length > 1)]
    // two that fit are a tie, whatever else there is
    if (sums === null || fits.length > 0) return { dispute, links, fits, isTooMany: sums === null && fits.length < 2 }
  }
  return { dispute, links, fits: [], isTooMany: false }
}

/** What a candidate gives back, above zero; null if it gives nothing. */
export function toGivenBack(candidate: Candidate): DecimalText | null {
  const { totalAmount } = candidate
  const amount =
    candidate.kind === 'credit' ? negateDecimal(totalAmount) : subtractDecimals(candidate.totalBefore, totalAmount)
  return isNegativeDecimal(amount) || isZeroDecimal(amount) ? null : amount
}

function findSums(expected: DecimalText, pool: readonly Linked[]): Linked[][] | null {
  const scale = Math.max(decimalScale(expected), ...pool.map(({ amount }) => decimalScale(amount)))
  const parts = pool.map(({ amount }) => toUnits(amount, scale))
  const sets = findSubsetSums(parts, toUnits(expected, scale))
  return sets?.map((places) => places.flatMap((place) => pool[place] ?? [])) ?? null
}

/** 0 for the strongest. */
export function rankOf(strength: Strength): number {
  return STRENGTHS.indexOf(strength)
}

/** The better evidence first; then the earlier, so the same lines always give the same list. */
function compareLinks(one: Linked, other: Linked): number {
  const first = ({ evidence }: Linked) => EVIDENCE.findIndex((each) => evidence.includes(each))
  const byEvidence = rankOf(one.strength) - rankOf(other.strength) || first(one) - first(other)
  if (byEvidence !== 0) return byEvidence
  const toKey = ({ candidate }: Linked) => `${candidate.seenOn} ${candidate.id}`
  return toKey(one) < toKey(other) ? -1 : 1
}
