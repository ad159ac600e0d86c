'use client'

import { Mark } from '#components/primitives/mark.tsx'
import type { SyncActivity } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import { useLiveSync } from './live-sync.client.tsx'
import { describePart } from './part-words.ts'
import { RUN_MARKS, toPercent } from './run-words.ts'
import { SyncButtons } from './sync-buttons.client.tsx'
import { SyncFigures } from './sync-figures.tsx'
import { toSyncStatus } from './sync-status.tsx'

type SyncPanelProps = {
  connectionId: ConnectionId
  name: string
  activity: SyncActivity
  nextSyncAt: string | null
  canSync: boolean
}

/** The connection's newest sync: what it does, how far it is, the time left, and the actions. */
export function SyncPanel({ connectionId, name, activity: drawn, nextSyncAt, canSync }: SyncPanelProps) {
  const { activity, isStale, look } = useLiveSync(connectionId, drawn)
  const { run, reading } = activity
  const { text, detail } = toSyncStatus(activity, nextSyncAt)
  const isStill = run?.status !== 'running' || run.waitsUntil !== null
  const isOpen = isUnderWay(run) || run?.status === 'paused'
  return (
    <section id="sync" aria-labelledby="sync-title" className="shrink-0 border-t px-5 py-3 max-md:px-4">
      <div className="flex items-start gap-x-4 gap-y-2 max-md:flex-col">
        <div className="min-w-0 flex-1">
          <h2 id="sync-title" className="font-semibold text-[14px]">
            Sync
          </h2>
          <div role="status" className="text-[13px]">
            <p className="flex items-baseline gap-2">
              <Mark kind={run === null ? 'open' : run.waitsUntil !== null ? 'held' : RUN_MARKS[run.status]} />
              <span className="min-w-0">{text}</span>
            </p>
          </div>
          {detail !== null && <p className="pl-[17px] text-[13px] text-ink2">{detail}</p>}
          {isStale && (
            <p role="alert" className="pl-[17px] text-[13px] text-warn">
              The server does not answer; what is shown may be old. Asking again.
            </p>
          )}
        </div>
        {canSync && <SyncButtons connectionId={connectionId} status={run?.status ?? null} onChange={look} />}
      </div>
      {run !== null && isOpen && (
        <>
          <Progress name={name} percent={toPercent(run)} isStill={isStill}>
            {reading.length === 0
              ? null
              : `${isStill ? 'Stopped at' : 'Reading'} ${reading.map(describePart).join('; ')}`}
          </Progress>
          <SyncFigures run={run} />
        </>
      )}
    </section>
  )
}

type ProgressProps = { name: string; percent: number | null; isStill: boolean; children: string | null }

function Progress({ name, percent, isStill, children }: ProgressProps) {
  return (
    <div className="mt-2.5">
      <div className="flex items-baseline justify-between gap-4 text-[13px] text-ink2">
        <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
        <span className="shrink-0 tabular-nums">{percent === null ? '' : `${percent}%`}</span>
      </div>
      <div
        role="progressbar"
        aria-label={`Sync of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-line2"
      >
        <div
          style={{ width: `${percent ?? 0}%` }}
          className={`h-full rounded-full transition-[width] duration-500 ${isStill ? 'bg-ink3' : 'bg-accent'}`}
        />
      </div>
    </div>
  )
}
