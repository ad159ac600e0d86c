// Runs in the browser: string work only. The words of answers on the screen; figures come as data.
import { formatAmount, formatCount } from '../format.ts'
import type { DecimalText } from '../money.ts'
import { type Answer, type AnswerTerm, EVIDENCE, type Evidence, type Fit } from './answer.ts'

/** Why a line was taken for an answer. */
const EVIDENCE_WORDS: Record<Evidence, string> = {
  line_corrected: 'it is a new version of the disputed line',
  line_named: 'it names the line',
  invoice_named: 'on or about the same invoice',
  same_trip: 'same trip',
  description_named: 'same description',
  same_vendor_and_traveler: 'same vendor and traveler',
  same_service: 'same service',
}

/** `label`: for a badge. `sentence`: what came. `reasons`: why it is taken for an answer. */
export type AnswerWords = { label: string; sentence: string; reasons: string[] }

/** The words of an answer, in the reader's own formats. */
export function describeAnswer(answer: Answer): AnswerWords {
  const { currency } = answer
  if (answer.kind === 'tie') return describeTie(answer)
  if (answer.kind === 'too_many')
    return {
      label: 'too many to tell',
      sentence: `${formatCount(answer.candidateCount)} later lines may answer it: too many sums to try them all`,
      reasons: [],
    }
  const { fit, kind } = answer
  const left = `${formatAmount(fit.left.replace('-', '') as DecimalText, currency)} ${currency}`
  const terms = nameTerms(fit, currency)
  const [verb, verbs] = fit.terms.length === 1 ? ['answers', 'gives'] : ['answer', 'give']
  const reasons = listReasons(fit.terms)
  if (kind === 'partial') return { label: `partial, ${left} left`, sentence: `${terms} ${verb} it in part`, reasons }
  if (kind === 'over')
    return { label: `${left} more than expected`, sentence: `${terms} ${verbs} back more than expected`, reasons }
  return {
    label: `${verb} it exactly`,
    sentence: `${terms} ${verb} it exactly${kind === 'sum' ? ' together' : ''}`,
    reasons,
  }
}

/**
 * Why these lines are taken for an answer, each reason once, strongest first; doubts last.
 * @internal One alternative of a tie has its own.
 */
export function listReasons(terms: readonly AnswerTerm[]): string[] {
  const reasons = EVIDENCE.filter((each) => terms.some(({ evidence }) => evidence.includes(each)))
  const isDoubtful = terms.some(({ strength }) => strength === 'doubtful')
  return [...reasons.map((each) => EVIDENCE_WORDS[each]), ...(isDoubtful ? ['but another trip or traveler'] : [])]
}

function describeTie({ alternatives, sharedWith }: Extract<Answer, { kind: 'tie' }>): AnswerWords {
  const count = formatCount(alternatives.length)
  const others = `${formatCount(sharedWith.length)} other ${sharedWith.length === 1 ? 'dispute' : 'disputes'}`
  const isOne = alternatives.length === 1
  const isExact = alternatives.every(({ left }) => !/[1-9]/.test(left))
  const one = isExact ? 'One answer fits' : 'One answer fits in part'
  const several = isExact ? `${count} answers fit equally well` : `${count} lines name it, and none comes to it exactly`
  const shared = sharedWith.length === 0 ? '' : `${isOne ? ', and may belong' : '; they may belong'} to ${others}`
  return {
    label: isOne ? `may answer ${others}, too` : isExact ? `${count} answers fit` : `${count} lines name it`,
    sentence: `${isOne ? one : several}${shared}; please choose`,
    reasons: listReasons(alternatives.flatMap(({ terms }) => terms)),
  }
}

/** `Credit line CR-01-2026-000013 −41.30`; of several, how many and what they come to. */
function nameTerms({ terms }: Fit, currency: string): string {
  const [first] = terms
  if (first === undefined || terms.length > 1)
    return `${formatCount(terms.length)} later lines (${terms.map((term) => toFigure(term, currency)).join(' ')})`
  if (first.kind === 'correction') return `New version of the line (${toFigure(first, currency)})`
  return `Credit line ${first.invoiceSerialNumber} ${toFigure(first, currency)}`
}

function toFigure({ amount }: AnswerTerm, currency: string): string {
  return formatAmount(`-${amount}` as DecimalText, currency)
}
