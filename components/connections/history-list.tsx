import { Mark } from '#components/primitives/mark.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionEvent } from '#lib/connections/model.ts'
import { describeEvent } from './history-words.ts'

/**
 * A connection's events, newest first: when, what, why and who; without a name it was Tieout
 * itself.
 */
export function HistoryList({ events, now }: { events: ConnectionEvent[]; now: number }) {
  return (
    <ol className="text-[13px]">
      {events.map((event) => {
        const { mark, text, detail } = describeEvent(event)
        return (
          <li
            key={event.number}
            className="grid grid-cols-[9px_minmax(0,1fr)_auto] items-baseline gap-x-2.5 border-b py-1.5"
          >
            <Mark kind={mark} />
            <p className="min-w-0">
              {text}
              {detail !== null && <span className="text-ink2"> · {detail}</span>}
            </p>
            <p className="text-right text-[12px] text-ink3">
              <RelativeTime at={event.happenedAt} now={now} />
              <span className="block leading-4">{event.actorName ?? 'Tieout'}</span>
            </p>
          </li>
        )
      })}
    </ol>
  )
}
