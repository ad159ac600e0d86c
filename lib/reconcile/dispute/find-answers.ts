/**
 * Which later lines answer a dispute, by arithmetic alone (docs/decisions/057-disputes.md). What is
 * proposed as the only answer is the only one; a person confirms it all the same.
 */
import { groupBy } from '../group-by.ts'
import { compareDecimals, isNegativeDecimal, subtractDecimals, sumDecimals } from '../money.ts'
import type { Answer, Candidate, Fit, OpenDispute } from './answer.ts'
import { readCandidate, seekDispute } from './answer-evidence.ts'
import { type Found, findFits, type Giving, type Linked, rankOf, toGivenBack } from './find-fits.ts'

/**
 * The answers to open disputes among later lines, in the order of the disputes; none where nothing
 * fits. A candidate is of the same account and currency, came after the day of the dispute, and is
 * linked to it (`linkOf`).
 * @param confirmed Ids of candidates that answer another dispute already.
 */
export function findAnswers(
  disputes: readonly OpenDispute[],
  candidates: readonly Candidate[],
  confirmed: ReadonlySet<string> = new Set(),
): Answer[] {
  const free = candidates.filter(({ id }) => !confirmed.has(id))
  const candidatesOf = groupBy(free, toAccount)
  const disputesOf = groupBy(disputes.map(seekDispute), ({ dispute }) => toAccount(dispute))
  const answers = new Map<string, Answer>()
  for (const [account, sought] of disputesOf) {
    const own = (candidatesOf.get(account) ?? []).flatMap((candidate): Giving[] => {
      const amount = toGivenBack(candidate)
      return amount === null ? [] : [{ amount, read: readCandidate(candidate, sought) }]
    })
    for (const answer of answerAll(sought.map((each) => findFits(each, own)))) answers.set(answer.disputeId, answer)
  }
  return disputes.flatMap(({ id }) => answers.get(id) ?? [])
}

/** No answer spans two accounts or two currencies. */
function toAccount({ connectionId, currency }: { connectionId: string; currency: string }): string {
  return `${connectionId} ${currency}`
}

/** What each dispute claims of a candidate: one candidate is not given to two. */
type Claim = { disputeId: string; rank: number }

function answerAll(found: readonly Found[]): Answer[] {
  const claims = toClaims(found)
  const answers = found.map((each) => toAnswer(each, claims))
  // what is given to a dispute as its only answer is no part of another's
  const given = new Set(
    answers.flatMap((answer) =>
      answer !== null && 'fit' in answer ? answer.fit.terms.map((term) => term.candidateId) : [],
    ),
  )
  const without = found.filter((_, at) => answers[at] === null)
  const rests = without.flatMap((each) => toRest(each, given) ?? [])
  const restClaims = addClaims(claims, rests)
  const partial = new Map(rests.map((rest) => [rest.dispute.id, toPartial(rest, restClaims)]))
  return found.flatMap(({ dispute }, at) => answers[at] ?? partial.get(dispute.id) ?? [])
}

/**
 * A dispute claims the candidates of its only fit, and every one that stands alone. Two sums that
 * fit are a matter of many small amounts, and take nothing from another dispute.
 */
function toClaims(found: readonly Found[]): Map<string, Claim[]> {
  return addClaims(
    new Map(),
    found.map(({ dispute, fits }) => ({
      dispute,
      terms: fits.length === 1 ? (fits[0] ?? []) : fits.filter(({ length }) => length === 1).flat(),
    })),
  )
}

function addClaims(
  claims: ReadonlyMap<string, Claim[]>,
  more: readonly { dispute: OpenDispute; terms: readonly Linked[] }[],
): Map<string, Claim[]> {
  const all = new Map(claims)
  for (const { dispute, terms } of more)
    for (const { candidate, strength } of terms)
      all.set(candidate.id, [...(all.get(candidate.id) ?? []), { disputeId: dispute.id, rank: rankOf(strength) }])
  return all
}

/** Other disputes to which a candidate of these belongs at least as well. */
function listRivals(disputeId: string, terms: readonly Linked[], claims: ReadonlyMap<string, Claim[]>): string[] {
  const rivals = terms.flatMap(({ candidate, strength }) =>
    (claims.get(candidate.id) ?? []).filter((claim) => claim.disputeId !== disputeId && claim.rank <= rankOf(strength)),
  )
  return [...new Set(rivals.map((claim) => claim.disputeId))]
}

function toAnswer({ dispute, links, fits, isTooMany }: Found, claims: ReadonlyMap<string, Claim[]>): Answer | null {
  const { id: disputeId, currency } = dispute
  const alternatives = fits.map((fit) => toFit(dispute, fit))
  if (isTooMany) return { disputeId, currency, kind: 'too_many', alternatives, candidateCount: links.length }
  const [only] = alternatives
  if (only === undefined) return null
  const sharedWith = listRivals(disputeId, fits.flat(), claims)
  if (fits.length > 1 || sharedWith.length > 0) return { disputeId, currency, kind: 'tie', alternatives, sharedWith }
  return { disputeId, currency, kind: only.terms.length === 1 ? 'exact' : 'sum', fit: only }
}

type Rest = { dispute: OpenDispute; terms: Linked[] }

/**
 * Candidates that name the line or its invoice and do not come to what is expected; null without
 * any. One that gives more counts only if it names the line: a credit of a whole invoice is about
 * other lines, too.
 */
function toRest({ dispute, links }: Found, given: ReadonlySet<string>): Rest | null {
  const isAboutLine = ({ evidence }: Linked) => evidence[0] === 'line_corrected' || evidence[0] === 'line_named'
  const terms = links.filter(
    (link) =>
      link.strength === 'explicit' &&
      !given.has(link.candidate.id) &&
      (compareDecimals(link.amount, dispute.expectedBack) < 0 || isAboutLine(link)),
  )
  return terms.length === 0 ? null : { dispute, terms }
}

function toPartial({ dispute, terms }: Rest, claims: ReadonlyMap<string, Claim[]>): Answer {
  const { id: disputeId, currency } = dispute
  const fit = toFit(dispute, terms)
  const isOver = isNegativeDecimal(fit.left)
  const sharedWith = listRivals(disputeId, terms, claims)
  // together they are too much: not all of them can be meant
  const isUnclear = isOver && terms.length > 1
  if (isUnclear || sharedWith.length > 0) {
    const alternatives = isUnclear ? terms.map((term) => toFit(dispute, [term])) : [fit]
    return { disputeId, currency, kind: 'tie', alternatives, sharedWith }
  }
  return { disputeId, currency, kind: isOver ? 'over' : 'partial', fit }
}

function toFit({ expectedBack: expected }: OpenDispute, terms: readonly Linked[]): Fit {
  return {
    expected,
    terms: terms.map(({ candidate, amount, evidence, strength }) => ({
      candidateId: candidate.id,
      kind: candidate.kind,
      lineId: candidate.lineId,
      invoiceSerialNumber: candidate.invoiceSerialNumber,
      amount,
      evidence,
      strength,
    })),
    left: subtractDecimals(expected, sumDecimals(terms.map(({ amount }) => amount))),
  }
}
