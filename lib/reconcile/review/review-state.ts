/**
 * What people decide about lines: the states, who leads from which to which, and what makes a
 * decision fall (docs/decisions/058-decisions.md). One table, which the code, the database's
 * statements, the screen and the tests read. Pure, so that the browser may have it.
 */
import type { LineState } from '../verdict.ts'

/**
 * `suspended`: something changed after it was decided, so it has to be looked at again. A line
 * without any of these is open.
 */
const REVIEW_STATES = ['accepted', 'disputed', 'settled', 'suspended'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** A line's state in the review, also of one that nobody has decided. */
export const REVIEW_CHOICES = ['open', ...REVIEW_STATES] as const
export type ReviewChoice = (typeof REVIEW_CHOICES)[number]

/** What waits for somebody. */
export const UNDECIDED = ['open', 'suspended'] as const satisfies ReviewChoice[]

/** Whether it waits for somebody. */
export function isUndecided(state: ReviewChoice): boolean {
  return UNDECIDED.some((each) => each === state)
}

/** What people do with any set of lines. `withdraw` takes back what was decided last. */
export const REVIEW_VERBS = ['accept', 'dispute', 'withdraw'] as const
export type ReviewVerb = (typeof REVIEW_VERBS)[number]

/** What is decided about a set of lines. `settle`: a later line answers a dispute. */
export type SetVerb = ReviewVerb | 'settle'

/** Every kind of decision; `undo` takes back one decision, wherever it is still the last. */
export type DecisionKind = SetVerb | 'undo'

/**
 * Why a decision fell: its figures, its place on the platform, what its proof finds, or what it
 * says beside other lines (`compared`: a copy of it, or its charge or refund).
 */
export type FallCause = 'changed' | 'gone' | 'back' | 'proof' | 'compared'

/** Why a decision fell, after “changed since”. */
export const CAUSE_WORDS: Record<FallCause, string> = {
  changed: 'the platform changed its figures',
  gone: 'the platform removed it',
  back: 'the platform has it again',
  proof: 'the check says something else of it now',
  compared: 'its copy, charge or refund came or went',
}

/**
 * What a verb does with a line: it changes, it is as wanted already, or it cannot be done.
 * Verbs are absolute: to accept what is accepted changes nothing, and a list keeps its place.
 */
export type Outcome = 'changes' | 'already' | 'cannot'

const OUTCOMES: Record<SetVerb, Record<ReviewChoice, Outcome>> = {
  accept: { open: 'changes', accepted: 'already', disputed: 'cannot', settled: 'already', suspended: 'changes' },
  dispute: { open: 'changes', accepted: 'changes', disputed: 'already', settled: 'cannot', suspended: 'changes' },
  settle: { open: 'cannot', accepted: 'cannot', disputed: 'changes', settled: 'already', suspended: 'changes' },
  withdraw: { open: 'already', accepted: 'changes', disputed: 'changes', settled: 'changes', suspended: 'changes' },
}

/** @returns what becomes of a line in this state by the verb. */
export function outcomeOf(verb: SetVerb, state: ReviewChoice): Outcome {
  return OUTCOMES[verb][state]
}

/** The states in which the verb has this outcome. */
export function statesWith(verb: SetVerb, outcome: Outcome): ReviewChoice[] {
  return REVIEW_CHOICES.filter((state) => outcomeOf(verb, state) === outcome)
}

/** What a line is after the verb; null: what it was before its last decision. */
export const STATE_AFTER = {
  accept: 'accepted',
  dispute: 'disputed',
  settle: 'settled',
  withdraw: null,
} as const satisfies Record<SetVerb, ReviewState | null>

/** Nobody has to look at it any more. */
export function isDone(state: ReviewChoice): boolean {
  return state === 'accepted' || state === 'settled'
}

/** Accepting money that nothing explains asks for a reason. */
export function needsReason(verb: DecisionKind, states: readonly LineState[]): boolean {
  return verb === 'dispute' || (verb === 'accept' && states.includes('unexplained'))
}
