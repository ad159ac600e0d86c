import { sayFailure } from '#components/answers/failure-words.ts'
import { Banner } from '#components/primitives/banner.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { HostFailure, HostState } from '#lib/sync/model.ts'

/**
 * A host whose calls are paused: since when, and the next try. Renders nothing while its circuit is
 * closed.
 */
export function HostBanner({ host, now }: { host: HostState; now: number }) {
  if (host.circuit === 'closed') return null
  return (
    <Banner tone="warn" className="border-t">
      <bdi className="font-medium">{host.host}</bdi> failed {plural(host.consecutiveFailures, 'time')} in a row
      {host.openedAt !== null && (
        <>
          . Calls were paused <RelativeTime at={host.openedAt} now={now} />
        </>
      )}
      . {host.circuit === 'open' ? <NextTry host={host} now={now} /> : 'One call is checking whether it answers again.'}{' '}
      Nothing is lost: syncs wait and continue where they stopped.
    </Banner>
  )
}

/** The platform's hosts as the circuit breaker sees them. */
export function HostList({ hosts, now }: { hosts: HostState[]; now: number }) {
  if (hosts.length === 0) return <p className="py-1.5 text-[13px] text-ink3">Not called yet.</p>
  return (
    <ul className="text-[13px]">
      {hosts.map((host) => (
        <li key={host.host} className="grid grid-cols-[9px_minmax(0,1fr)] items-baseline gap-x-2.5 border-b py-1.5">
          <Mark kind={host.circuit === 'closed' ? 'good' : host.circuit === 'open' ? 'held' : 'partial'} />
          <div className="min-w-0">
            <p className="flex items-baseline justify-between gap-3">
              <bdi className="truncate font-medium" title={host.host}>
                {host.host}
              </bdi>
              <span className="shrink-0 text-ink2">{CIRCUITS[host.circuit]}</span>
            </p>
            <p className="text-[12px] text-ink2 leading-4 [overflow-wrap:anywhere]">
              {host.circuit !== 'closed' && host.openedAt !== null && (
                <>
                  Since <RelativeTime at={host.openedAt} now={now} />, {plural(host.consecutiveFailures, 'failure')} in
                  a row. <NextTry host={host} now={now} />{' '}
                </>
              )}
              {host.lastFailureAt === null ? (
                'No failure so far.'
              ) : (
                <>
                  Last failure <RelativeTime at={host.lastFailureAt} now={now} />
                  {host.lastFailure !== null && `: ${toFailureText(host.lastFailure)}`}
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const CIRCUITS: Record<HostState['circuit'], string> = {
  closed: 'calls go through',
  open: 'calls paused',
  half_open: 'being retried',
}

function toFailureText({ kind, status }: HostFailure): string {
  return sayFailure({ kind, httpStatus: status })
}

function NextTry({ host: { retryAt }, now }: { host: HostState; now: number }) {
  if (retryAt === null) return null
  if (Date.parse(retryAt) <= now) return 'The next call checks whether it answers again.'
  return (
    <>
      The next try is <RelativeTime at={retryAt} now={now} />.
    </>
  )
}
