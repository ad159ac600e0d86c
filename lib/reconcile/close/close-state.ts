/**
 * Where an invoice or a month stands in the close: one function says it, with one word and one mark
 * (docs/decisions/062-sign-off.md). Pure; runs in the browser.
 */
import type { DecimalText } from '../money.ts'
import type { State } from '../verdict.ts'

/** From nothing to done; `changed`: locked, and then something changed. */
export const CLOSE_STATES = ['open', 'ready', 'prepared', 'approved', 'locked', 'changed'] as const
export type CloseState = (typeof CLOSE_STATES)[number]

export const CLOSE_WORDS: Record<CloseState, string> = {
  open: 'Open',
  ready: 'Ready to sign',
  prepared: 'Prepared',
  approved: 'Approved',
  locked: 'Locked',
  changed: 'Locked, then changed',
}

export const SIGN_STEPS = ['prepared', 'approved'] as const
export type SignStep = (typeof SIGN_STEPS)[number]

/** Why a sign-off no longer stands. */
const END_CAUSES = [
  'changed',
  'gone',
  'back',
  'new_line',
  'proof',
  'checks',
  'decided',
  'compared',
  'invoice',
  'withdrawn',
  'superseded',
] as const
export type EndCause = (typeof END_CAUSES)[number]

/** Why a sign-off ended, after “then”. */
export const END_WORDS: Record<EndCause, string> = {
  changed: 'the platform changed a line',
  gone: 'the platform removed a line',
  back: 'the platform has a line again',
  new_line: 'a new line came',
  proof: 'the check says something else now',
  checks: 'checks or accepted ways of rounding changed',
  decided: 'somebody decided about it again',
  compared: 'a copy, a charge or a refund came or went',
  invoice: 'the platform changed the invoice',
  withdrawn: 'it was withdrawn by its signer',
  superseded: 'its period was opened again',
}

/** Of a locked month also what no seal has, such as a status of an invoice. */
export type DriftCause = EndCause | 'beside'

/** What changed in a locked month. */
export const DRIFT_WORDS: Record<DriftCause, string> = {
  ...END_WORDS,
  beside: 'the platform changed what is not signed, such as a status',
}

/** By hand, and not because something changed under it. */
const BY_HAND: readonly EndCause[] = ['withdrawn', 'superseded']

export type MovedMoney = { currency: string; amount: DecimalText }

/** Who signed, as their name was then. `at`: ISO 8601. */
export type Signature = { id: string; step: SignStep; personId: string; name: string; at: string }

/** A signature that no longer stands. `moved`: by what changed, as it ended. */
export type EndedSignature = Signature & { endedAt: string; cause: EndCause; moved: MovedMoney[] }

export type CloseFacts = {
  /** Findings that wait for somebody, of lines and invoices, and the worst of them. */
  undecided: number
  worst: State
  /** What stands. */
  prepared: Signature | null
  approved: Signature | null
  isLocked: boolean
  /** The latest signature that ended, whatever ended it. */
  lastEnded: EndedSignature | null
}

/**
 * `fallen`: a signature that something changed under, while nobody signed that step again:
 * “approved by Ana on March 4, then changed by 12.40 EUR”.
 */
export type CloseStand = { state: CloseState; undecided: number; worst: State; fallen: EndedSignature | null }

/** The one answer to where it stands. */
export function standOfClose(facts: CloseFacts): CloseStand {
  const { undecided, worst, lastEnded } = facts
  const isFallen = lastEnded !== null && !BY_HAND.includes(lastEnded.cause) && facts[lastEnded.step] === null
  return { state: toState(facts), undecided, worst, fallen: isFallen ? lastEnded : null }
}

/** Whatever changes in a locked month ends its signatures, so they alone tell. */
function toState({ undecided, prepared, approved, isLocked }: CloseFacts): CloseState {
  if (isLocked) return approved === null ? 'changed' : 'locked'
  if (approved !== null) return 'approved'
  if (prepared !== null) return 'prepared'
  return undecided === 0 ? 'ready' : 'open'
}

/** What comes next, and which permission it takes; null where nothing is left to do. */
export function nextStepOf(state: CloseState, isPeriod: boolean): 'prepare' | 'approve' | 'lock' | 'reopen' | null {
  if (state === 'open' || state === 'ready') return 'prepare'
  if (state === 'prepared') return 'approve'
  if (state === 'approved') return isPeriod ? 'lock' : null
  return state === 'changed' ? 'reopen' : null
}
