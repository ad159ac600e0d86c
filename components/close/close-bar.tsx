import { CLOSE_WORDS, type CloseState } from '#lib/reconcile/close/close-state.ts'
import { CLOSE_LOOKS } from './close-looks.ts'

type CloseBarProps = { parts: readonly { state: CloseState; count: number }[] }

/** More parts than this are drawn in proportion. */
const MOST_PARTS = 12

/** How far a month is: a part for each profile, the locked ones first, and the same in words. */
export function CloseBar({ parts }: CloseBarProps) {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const locked = parts.reduce((sum, { state, count: some }) => sum + (isLocked(state) ? some : 0), 0)
  if (count === 0) return null
  const drawn = parts
    .toReversed()
    .flatMap(({ state, count: some }) =>
      count > MOST_PARTS
        ? [{ state, grow: some, at: 0 }]
        : Array.from({ length: some }, (_, at) => ({ state, grow: 1, at })),
    )
  const words = parts.map(({ state, count: some }) => `${some} ${CLOSE_WORDS[state].toLowerCase()}`).join(', ')
  return (
    <span className="close-bar" title={words}>
      <span className="close-bar-words">{locked === 0 ? toWord(parts) : `${locked} of ${count} locked`}</span>
      <span aria-hidden className="close-bar-parts">
        {drawn.map(({ state, grow, at }) => (
          <i key={`${state} ${at}`} className={CLOSE_LOOKS[state].bar} style={{ flexGrow: grow }} />
        ))}
      </span>
    </span>
  )
}

function isLocked(state: CloseState): boolean {
  return state === 'locked' || state === 'changed'
}

/** The least of its parts. */
function toWord([least]: CloseBarProps['parts']): string {
  return least === undefined ? '' : least.state
}
