import type { ReactNode } from 'react'
import { Mark } from '#components/primitives/mark.tsx'
import { CAUSE_WORDS, type FallCause, type ReviewChoice, type ReviewState } from '#lib/reconcile/review/review-state.ts'
import { REVIEW_LOOKS } from './review-looks.ts'

type ReviewTextProps = {
  state: ReviewChoice
  /** Of what changed since: what it was, and why it is no more. */
  previous?: ReviewState | null
  cause?: FallCause | null
  children?: ReactNode
}

/** Where a line stands, with its mark, its color and its word: all pages draw it by this one. */
export function ReviewText({ state, previous, cause, children }: ReviewTextProps) {
  const { mark, tone, word } = REVIEW_LOOKS[state]
  const why = cause ? `${previous ? `${REVIEW_LOOKS[previous].word} before; ` : ''}${CAUSE_WORDS[cause]}` : undefined
  return (
    <span className={`marked ${tone}`} data-review={state} title={why}>
      <Mark kind={mark} isSmall />
      <span className="text">{children ?? word}</span>
    </span>
  )
}
