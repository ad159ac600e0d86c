import { Amount } from '#components/figures/amount.tsx'
import type { Happening } from '#components/talk/activity.ts'
import { LocalMoment } from '#components/text/local-moment.tsx'
import type { ReviewEvent } from '#lib/ledger/model.ts'
import { CAUSE_WORDS } from '#lib/reconcile/review/review-state.ts'
import { KIND_WORDS } from './review-looks.ts'

/** What was decided about a line, when that fell, and when it came back by itself. */
export function toReviewHappenings(events: readonly ReviewEvent[]): Happening[] {
  return events.map((event) => ({
    key: `${'kind' in event ? `decision ${event.number}` : `fall of ${event.decision}`} ${event.at}`,
    at: event.at,
    node: (
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <EventText event={event} />
        <span className="text-[12px] text-ink3">
          <LocalMoment at={event.at} />
        </span>
      </p>
    ),
  }))
}

function EventText({ event }: { event: ReviewEvent }) {
  if (!('kind' in event))
    return (
      <span className="min-w-0">
        {event.cause === null ? 'again as it was decided' : CAUSE_WORDS[event.cause]}{' '}
        {event.amountBefore !== event.amountAfter && (
          <>
            <Amount amount={event.amountBefore} currency={event.currencyBefore} /> →{' '}
            <Amount amount={event.amountAfter} currency={event.currencyAfter} withCode />
          </>
        )}
      </span>
    )
  return (
    <span className="min-w-0">
      <bdi>{event.name}</bdi>{' '}
      {event.kind === 'undo' ? `took back decision ${event.undoOf}` : KIND_WORDS[event.kind].done}
      {event.lineCount > 1 && ` (with ${event.lineCount - 1} others)`}
      {event.reasonWords && (
        <>
          : <bdi>{event.reasonWords}</bdi>
        </>
      )}
      {event.note && (
        <q className="ml-1">
          <bdi>{event.note}</bdi>
        </q>
      )}
    </span>
  )
}
