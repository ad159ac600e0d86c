import { Mark } from '#components/primitives/mark.tsx'
import { describeProgress, describeResult, toPercent } from '#components/sync/run-words.ts'
import { listConcerns } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { isConnected } from '#lib/connections/states.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import { describeConcern } from '../concern-words.ts'
import { toAccountName, toStateText } from '../connection-state.ts'

/**
 * A connection's state as shape and text, with progress while a sync runs. Below it, its most
 * urgent concern; after a failed sync, the reference that finds it in the logs. `now` in
 * milliseconds.
 */
export function ConnectionStateCell({ connection, now }: { connection: ConnectionSummary; now: number }) {
  const { mark, text, detail } = toStateText(connection)
  const { run, state } = connection
  const [worst] = listConcerns(connection, now)
  const words = worst && describeConcern(worst, connection, now)
  const isSyncing = isUnderWay(run) && isConnected(connection)
  const progress = isSyncing ? describeProgress(run) : null
  const second =
    words?.brief ?? progress?.text ?? detail ?? (mark === 'good' && run !== null ? describeResult(run) : null)
  return (
    <div className="min-w-0">
      <div className="flex min-w-0 items-center gap-2">
        <Mark kind={worst && mark === 'good' ? (worst.tone === 'bad' ? 'failed' : 'partial') : mark} />
        <span className="shrink-0">{text}</span>
        {isSyncing && (
          <Progress text={progress?.text ?? ''} percent={toPercent(run)} name={toAccountName(connection)} />
        )}
      </div>
      {second !== null && (
        <p
          className={`whitespace-normal pl-[17px] text-[12px] leading-4 md:line-clamp-2 ${worst ? (worst.tone === 'bad' ? 'text-bad' : 'text-warn') : 'text-ink3'}`}
          title={words?.text ?? second}
        >
          {second}
        </p>
      )}
      {second !== null && run?.status === 'failed' && mark === 'failed' && state !== 'needs_reconnect' && (
        // of its own, since the words above may be longer than their two lines
        <p className="pl-[17px] text-[12px] text-ink3 leading-4">
          Reference <code className="font-mono">{run.id.slice(0, 8)}</code>
        </p>
      )}
    </div>
  )
}

function Progress({ text, percent, name }: { text: string; percent: number | null; name: string }) {
  return (
    <>
      <span
        role="progressbar"
        aria-label={`Sync of ${name}`}
        aria-valuetext={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        className="relative h-1.5 w-20 shrink-0 overflow-hidden rounded-full bg-line2"
      >
        <span
          style={{ width: `${percent ?? 0}%` }}
          className="absolute inset-y-0 left-0 rounded-full bg-accent transition-[width] duration-500"
        />
      </span>
      {percent !== null && <span className="shrink-0 text-ink2 tabular-nums">{percent}%</span>}
    </>
  )
}
