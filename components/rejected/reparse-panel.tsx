import { FollowConnection } from '#components/connections/follow-connection.client.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ReparseState } from '#lib/sync/model.ts'

type ReparsePanelProps = { states: ReparseState[]; canRead: boolean; now: number }

/**
 * For each account with records that were not imported: try their import again, progress and
 * result.
 */
export function ReparsePanel({ states, canRead, now }: ReparsePanelProps) {
  if (states.length === 0) return null
  return (
    <section aria-label="Try import again" className="shrink-0 border-t bg-panel px-5 py-1.5 max-md:px-4 print:hidden">
      {states.some(({ isUnderWay }) => isUnderWay) && <FollowConnection />}
      <ul>
        {states.map((state) => (
          <li key={state.connectionId} className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
            <bdi dir="auto" className="font-medium">
              {state.connectionName ?? 'New account'}
            </bdi>
            <span role="status" className="min-w-0 flex-1 text-ink2">
              <ReparseWords state={state} now={now} />
            </span>
            {canRead && state.openCount > 0 && (
              <form method="post" action={`/api/connections/${state.connectionId}/sync/reparse`}>
                <button
                  type="submit"
                  disabled={state.isUnderWay}
                  aria-label={`Try import again: ${state.connectionName ?? 'New account'}`}
                  className={buttonClass({ size: 'small' })}
                >
                  Try import again
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ReparseWords({ state, now }: { state: ReparseState; now: number }) {
  const { openCount, isUnderWay, finishedAt, isFailed, requestedBy, accepted, stillRejected } = state
  if (isUnderWay) return <>Import under way: {plural(accepted + stillRejected, 'record')} so far.</>
  if (finishedAt === null) return <>{plural(openCount, 'record')} not imported.</>
  return (
    <>
      {isFailed ? 'The import stopped halfway ' : 'Import tried again '}
      <RelativeTime at={finishedAt} now={now} />{' '}
      {requestedBy === null ? (
        'after an upgrade'
      ) : (
        <>
          by <bdi>{requestedBy}</bdi>
        </>
      )}
      : {toOutcome(accepted, stillRejected)}.
      {isFailed && ' Nothing is lost; an operator finds the reason in the worker’s log.'}
    </>
  )
}

function toOutcome(accepted: number, stillRejected: number): string {
  if (accepted === 0) return stillRejected === 0 ? 'there was nothing to import' : 'none of them can be imported yet'
  const read = `${plural(accepted, 'record')} imported, and ${accepted === 1 ? 'counts' : 'count'} in every total`
  return stillRejected === 0 ? read : `${read}, ${stillRejected} still cannot be imported`
}
