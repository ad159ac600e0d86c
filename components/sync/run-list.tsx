import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { RunProgress } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { DecidedLoss } from '#lib/sync/model.ts'
import { describeProgress, describeResult, RUN_KINDS, RUN_MARKS, RUN_STATES, RUN_TRIGGERS } from './run-words.ts'

type RunListProps = {
  connectionId: ConnectionId
  runs: RunProgress[]
  /**
   * Decided losses and bad-answer counts of these runs. The counts are for admins, null for others.
   */
  losses: DecidedLoss[]
  badAnswers: ReadonlyMap<string, number> | null
  now: number
}

/** The newest syncs: how each went and what it brought. */
export function RunList({ connectionId, runs, losses, badAnswers, now }: RunListProps) {
  if (runs.length === 0) return <p className="py-1.5 text-[13px] text-ink3">None yet.</p>
  return (
    <ol className="text-[13px]">
      {runs.map((run) => {
        const loss = losses.find(({ runId }) => runId === run.id)
        const badCount = badAnswers?.get(run.id) ?? 0
        return (
          <li key={run.id} className="grid grid-cols-[9px_minmax(0,1fr)_auto] items-baseline gap-x-2.5 border-b py-1.5">
            <Mark kind={run.waitsUntil === null ? RUN_MARKS[run.status] : 'held'} />
            <div className="min-w-0">
              <p>
                {run.waitsUntil === null ? RUN_STATES[run.status] : 'Waiting'}{' '}
                <span className="text-ink2">· {toResult(run)}</span>
              </p>
              {run.errorText !== null && (
                <p className="text-[12px] text-ink2 leading-4">
                  {run.errorText} Reference <code className="font-mono">{run.id.slice(0, 8)}</code>
                </p>
              )}
              <p className="text-[12px] text-ink2 leading-4">
                {describeMissing(run)}
                {loss?.decision === 'rejected' &&
                  ` ${plural(loss.missingLines, 'line')} not found; everything kept by ${loss.decidedBy ?? 'an admin'}.`}
                {badCount > 0 && (
                  <>
                    {' '}
                    <Link
                      href={`/connections/${connectionId}/answers#run-${run.id}`}
                      className="text-accent hover:underline"
                    >
                      {plural(badCount, 'failed API call')}
                    </Link>
                  </>
                )}
              </p>
            </div>
            <p className="text-right text-[12px] text-ink3">
              <RelativeTime at={run.finishedAt ?? run.startedAt ?? run.requestedAt} now={now} />
              <span className="block leading-4">
                {RUN_KINDS[run.kind].toLowerCase()}, {RUN_TRIGGERS[run.trigger]}
              </span>
            </p>
          </li>
        )
      })}
    </ol>
  )
}

function toResult(run: RunProgress): string {
  return run.status === 'succeeded' ? (describeResult(run) ?? '') : describeProgress(run).text
}

function describeMissing({ linesMissing, invoicesMissing }: RunProgress): string {
  if (linesMissing === 0 && invoicesMissing === 0) return ''
  return `${plural(linesMissing, 'line')} and ${plural(invoicesMissing, 'invoice')} marked as missing.`
}
