import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { Mark } from '../primitives/mark.tsx'
import { describeProgress, describeResult, isUnderWay, toAccountName, toStateText } from './connection-state.ts'

/** How a connection is: shape and text; while a sync runs, how far it is; when it failed, why and its reference. */
export function ConnectionStateCell({ connection }: { connection: ConnectionSummary }) {
  const { mark, text, detail } = toStateText(connection)
  const { run } = connection
  const result = mark === 'good' && run !== null ? describeResult(run) : null
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Mark kind={mark} />
      <span className="shrink-0">{text}</span>
      {isUnderWay(run) && connection.state !== 'needs_reconnect' && (
        <Progress {...describeProgress(run)} name={toAccountName(connection)} />
      )}
      {mark === 'failed' && detail === null && run?.status === 'failed' && (
        <span className="min-w-0 whitespace-normal text-[12px] text-ink2 leading-4">
          {run.errorText}{' '}
          <span className="text-ink3">
            Reference <code className="font-mono">{run.id.slice(0, 8)}</code>
          </span>
        </span>
      )}
      {detail !== null && <span className="min-w-0 whitespace-normal text-ink2">{detail}</span>}
      {result !== null && <span className="min-w-0 truncate text-ink3">{result}</span>}
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
        className="relative h-1.5 w-28 shrink-0 overflow-hidden rounded-full bg-line2"
      >
        <span
          style={{ width: `${percent ?? 0}%` }}
          className="absolute inset-y-0 left-0 rounded-full bg-accent transition-[width] duration-500"
        />
      </span>
      <span className="truncate text-ink2" title={text}>
        {text}
      </span>
    </>
  )
}
