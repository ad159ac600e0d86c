import type { ReactNode } from 'react'
import { Mark } from '#components/primitives/mark.tsx'
import type { State } from '#lib/reconcile/verdict.ts'
import { STATE_LOOKS } from './verdict-looks.ts'

type VerdictTextProps = {
  state: State
  isSmall?: boolean
  /** What the mark says where no text does. */
  label?: string
  /** Instead of the state's own word. */
  children?: ReactNode
}

/** A state with its mark, its color and its words: all pages draw it by this one. */
export function VerdictText({ state, isSmall = false, label, children }: VerdictTextProps) {
  const { mark, tone, word } = STATE_LOOKS[state]
  const text = children ?? word
  // most tie out, and what does is a word
  if (mark === null) return <span className={tone}>{text}</span>
  return (
    <span className={`marked ${tone}`} data-state={state}>
      <Mark kind={mark} isSmall={isSmall} {...(label === undefined ? {} : { label })} />
      <span className="text">{text}</span>
    </span>
  )
}

/** The mark of a state alone; nothing where it ties out. */
export function VerdictMark({ state, label }: { state: State; label?: string }) {
  const { mark } = STATE_LOOKS[state]
  return mark === null ? null : <Mark kind={mark} {...(label === undefined ? {} : { label })} />
}
