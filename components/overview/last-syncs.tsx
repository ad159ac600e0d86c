import { toAccountName, toStateText } from '#components/connections/connection-state.ts'
import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import { describeResult } from '#components/sync/run-words.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionSummary, RunProgress } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'

/** Each connection's state, and the age of its figures. */
export function LastSyncs({ connections, now }: { connections: ConnectionSummary[]; now: number }) {
  return (
    <section aria-labelledby="last-syncs">
      <h2 id="last-syncs" className="font-semibold text-[14px]">
        Last sync
      </h2>
      <ul className="mt-1">
        {connections.map((connection) => {
          const { mark, text } = toStateText(connection)
          const result = connection.run && describeResult(connection.run)
          return (
            <li key={connection.id} className="flex items-baseline gap-2.5 border-b py-2 text-[13px]">
              <Mark kind={mark} label={text} />
              <div className="min-w-0 flex-1">
                <Link href="/connections" className="block truncate font-medium hover:underline">
                  <bdi>{toAccountName(connection)}</bdi>
                </Link>
                <p className="text-[12px] text-ink3 leading-4">
                  {plural(connection.lineCount, 'line')}
                  {connection.goneLineCount > 0 && `, ${formatCount(connection.goneLineCount)} removed`} ·{' '}
                  {isUnderWay(connection.run) ? describeWork(connection.run) : (result ?? text)}
                </p>
              </div>
              <span className="shrink-0 text-ink2">
                {connection.lastGoodSyncAt === null ? (
                  <span className="text-ink3">not yet</span>
                ) : (
                  <RelativeTime at={connection.lastGoodSyncAt} now={now} />
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** A run that waits for the platform does nothing now. */
function describeWork({ waitsUntil }: RunProgress): string {
  return waitsUntil === null ? 'syncing now' : 'its sync is waiting'
}
