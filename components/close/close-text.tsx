import { Check, Icon, type IconProps } from '#components/primitives/icons.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { CloseStand, CloseState } from '#lib/reconcile/close/close-state.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { State } from '#lib/reconcile/verdict.ts'
import { CLOSE_LOOKS } from './close-looks.ts'

/** What nobody changes any more. */
export const Lock = (props: IconProps) => <Icon {...props} d="M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4" />

/** Who did the last step, and when. */
export type LastStep = { name: string; at: string } | null

/** The mark of a state, as all pages draw it. An open one has that of its worst finding. */
export function CloseMark({ state, worst }: { state: CloseState; worst: State }) {
  if (state === 'open') return <VerdictMark state={worst} />
  if (state === 'ready') return <Mark kind="open" />
  if (state === 'changed') return <Mark kind="held" />
  if (state === 'locked') return <Lock size={12} className="text-ink2" />
  return <Check size={12} className={state === 'approved' ? 'text-good' : 'text-ink2'} />
}

type CloseTextProps = { stand: CloseStand; last: LastStep }

/** Where an invoice or a month stands, with its mark and words. */
export function CloseText({ stand, last }: CloseTextProps) {
  return (
    <span className={`close-text ${CLOSE_LOOKS[stand.state].tone}`} data-close={stand.state}>
      <CloseMark {...stand} />
      <span className="text">
        <CloseWords stand={stand} last={last} />
      </span>
    </span>
  )
}

function CloseWords({ stand: { state, undecided }, last }: CloseTextProps) {
  switch (state) {
    case 'open':
      return `open – ${plural(undecided, 'finding')}`
    case 'locked':
      return last === null ? 'locked' : `locked ${formatDayOf(last.at)}`
    case 'changed':
      return 'locked, then changed'
    case 'prepared':
    case 'approved':
      return last === null ? (
        state
      ) : (
        <>
          {state} by <bdi>{last.name}</bdi>
        </>
      )
    default:
      return state
  }
}
