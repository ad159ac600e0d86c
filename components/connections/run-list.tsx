import type { RunProgress } from '../../lib/connections/model.ts'
import { Mark, type MarkKind } from '../primitives/mark.tsx'
import { RelativeTime } from '../text/relative-time.client.tsx'
import { describeProgress, describeResult } from './connection-state.ts'

const MARKS: Record<RunProgress['status'], MarkKind> = {
  queued: 'open',
  running: 'partial',
  succeeded: 'good',
  failed: 'failed',
  paused: 'held',
  held: 'held',
  canceled: 'open',
}
const WORDS: Record<RunProgress['status'], string> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  paused: 'Paused',
  held: 'Held',
  canceled: 'Canceled',
}
const TRIGGERS: Record<RunProgress['trigger'], string> = {
  connect: 'after connecting',
  manual: 'asked for',
  schedule: 'by schedule',
  webhook: 'told by the platform',
}

/** The newest syncs: how each went and what it brought. */
export function RunList({ runs, now }: { runs: RunProgress[]; now: number }) {
  if (runs.length === 0) return <p className="py-1.5 text-[13px] text-ink3">None yet.</p>
  return (
    <ol className="text-[13px]">
      {runs.map((run) => (
        <li key={run.id} className="grid grid-cols-[9px_minmax(0,1fr)_auto] items-baseline gap-x-2.5 border-b py-1.5">
          <Mark kind={MARKS[run.status]} />
          <div className="min-w-0">
            <p>
              {WORDS[run.status]} <span className="text-ink2">· {toResult(run)}</span>
            </p>
            {run.errorText !== null && (
              <p className="text-[12px] text-ink2 leading-4">
                {run.errorText} Reference <code className="font-mono">{run.id.slice(0, 8)}</code>
              </p>
            )}
          </div>
          <p className="text-right text-[12px] text-ink3">
            <RelativeTime at={run.finishedAt ?? run.startedAt ?? run.requestedAt} now={now} />
            <span className="block leading-4">{TRIGGERS[run.trigger]}</span>
          </p>
        </li>
      ))}
    </ol>
  )
}

function toResult(run: RunProgress): string {
  return run.status === 'succeeded' ? (describeResult(run) ?? '') : describeProgress(run).text
}
