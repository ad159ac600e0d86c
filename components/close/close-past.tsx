import { LocalMoment } from '#components/text/local-moment.tsx'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import { END_WORDS } from '#lib/reconcile/close/close-state.ts'
import { writeMoved } from './close-words.ts'

/** Signatures that ended and locks that were opened: they stay readable. */
export function ClosePast({ period: { past, locks } }: { period: ClosePeriod }) {
  const reopened = locks.flatMap(({ reopened, number, ...lock }) =>
    reopened === null ? [] : { ...lock, number, reopened },
  )
  if (past.length + reopened.length === 0) return null
  return (
    <details className="close-past">
      <summary>
        Earlier <small>{past.length + reopened.length}</small>
      </summary>
      <ul>
        {reopened.map(({ number, name, at, reopened }) => (
          <li key={number}>
            locked by <bdi>{name}</bdi>, <LocalMoment at={at} />; opened again by <bdi>{reopened.name}</bdi>,{' '}
            <LocalMoment at={reopened.at} />: <bdi>{reopened.reason}</bdi>
          </li>
        ))}
        {past.map(({ id, step, name, at, endedAt, cause, moved }) => (
          <li key={id}>
            {step} by <bdi>{name}</bdi>, <LocalMoment at={at} />; ended{' '}
            {endedAt !== null && <LocalMoment at={endedAt} />}
            {cause !== null && `: ${END_WORDS[cause]}`}
            {moved !== null && moved.length > 0 && `, ${writeMoved(moved)}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
