import { Link } from '#components/query/link.client.tsx'
import { KIND_WORDS } from '#components/review/review-looks.ts'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { plural } from '#components/text/plural.ts'
import type { ExceptionOfLock } from '#lib/ledger/close/read-close-period.ts'
import { CloseActions } from './close-actions.client.tsx'
import { toAction } from './list-actions.ts'

type CloseExceptionsProps = {
  exceptions: readonly ExceptionOfLock[]
  mayEnd: boolean
  /** ISO 8601. */
  now: string
}

/** Who may decide in the locked month, until when and why, and what they did meanwhile. */
export function CloseExceptions({ exceptions, mayEnd, now }: CloseExceptionsProps) {
  if (exceptions.length === 0) return null
  return (
    <section aria-labelledby="close-exceptions">
      <h3 id="close-exceptions">
        Exceptions <small>{exceptions.length}</small>
      </h3>
      <ul className="close-people">
        {exceptions.map(({ id, name, until, endedAt, reason, grantedBy, meanwhile }) => (
          <li key={id}>
            <p>
              <bdi>{name}</bdi> {endedAt === null ? 'until' : 'ended'} <LocalMoment at={endedAt ?? until} />
            </p>
            <p className="text-ink2">
              <bdi>{reason}</bdi>; by <bdi>{grantedBy}</bdi>
            </p>
            {mayEnd && endedAt === null && Date.parse(until) > Date.parse(now) && (
              <CloseActions actions={[toAction('End…', { verb: 'end', exception: id, name })]} people={[]} />
            )}
            <ul aria-label={`What ${name} did meanwhile`}>
              {meanwhile.length === 0 && <li className="text-ink2">Nothing was decided meanwhile.</li>}
              {meanwhile.map(({ number, kind, lineCount, at }) => (
                <li key={number}>
                  <Link
                    href={`/decisions?before=${Number(number) + 1}`}
                    className="text-accent underline underline-offset-2"
                  >
                    Decision {number}
                  </Link>
                  : {plural(lineCount, 'record')} {KIND_WORDS[kind].done}, <LocalMoment at={at} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}
