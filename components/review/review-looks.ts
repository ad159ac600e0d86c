import type { MarkKind } from '#components/primitives/mark.tsx'
import type { DecisionKind, ReviewChoice } from '#lib/reconcile/review/review-state.ts'

/** How a state of the review looks wherever it stands: its mark, its color and its word. */
export const REVIEW_LOOKS: Record<ReviewChoice, { mark: MarkKind; tone: string; word: string }> = {
  open: { mark: 'open', tone: 'text-ink2', word: 'open' },
  accepted: { mark: 'good', tone: 'text-good', word: 'accepted' },
  disputed: { mark: 'flag', tone: 'text-accent', word: 'disputed' },
  settled: { mark: 'good', tone: 'text-good', word: 'settled' },
  suspended: { mark: 'held', tone: 'text-ink2', word: 'changed since' },
}

/** What a decision does, on its button; and what was done, in a list. */
export const KIND_WORDS: Record<DecisionKind, { verb: string; done: string }> = {
  accept: { verb: 'Accept', done: 'accepted' },
  dispute: { verb: 'Dispute', done: 'disputed' },
  settle: { verb: 'Settle', done: 'settled' },
  withdraw: { verb: 'Reopen', done: 'opened again' },
  undo: { verb: 'Undo', done: 'took back' },
}
