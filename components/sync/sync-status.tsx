import type { ReactNode } from 'react'
import { describeWait } from '#components/text/describe-rest.ts'
import { LocalTime } from '#components/text/local-time.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { SyncActivity } from '#lib/connections/model.ts'
import { describeResult, RUN_KINDS } from './run-words.ts'

export type SyncStatus = { text: ReactNode; detail: ReactNode | null }

/** The state or the end of a connection's newest sync, and what it means. */
export function toSyncStatus({ run, stopped, at }: SyncActivity, nextSyncAt: string | null): SyncStatus {
  const now = Date.parse(at)
  if (run === null) return { text: 'Nothing has been read yet', detail: toNext(nextSyncAt, now) }
  const kind = RUN_KINDS[run.kind]
  const ago = (moment: string | null) => moment !== null && <RelativeTime at={moment} now={now} />
  const who = stopped && (
    <>
      {stopped.by !== null && (
        <>
          {' by '}
          <bdi>{stopped.by}</bdi>
        </>
      )}{' '}
      {ago(stopped.at)}
    </>
  )
  switch (run.status) {
    case 'queued':
      return { text: `${kind} is waiting for the worker`, detail: null }
    case 'running':
      if (run.waitsUntil === null) return { text: `${kind} is running`, detail: null }
      return {
        text: (
          <>
            {kind} is waiting until <LocalTime at={run.waitsUntil} />
          </>
        ),
        detail: `${run.errorText ?? ''} It resumes ${describeWait(Date.parse(run.waitsUntil) - now)}.`,
      }
    case 'paused':
      return {
        text: (
          <>
            {kind} paused{who}
          </>
        ),
        detail: 'What has arrived is kept. Resume it to continue where it stopped; until then nothing new is read.',
      }
    case 'canceled':
      return {
        text: (
          <>
            {kind} canceled{who}
          </>
        ),
        detail: <>What had arrived is kept. {toNext(nextSyncAt, now)}</>,
      }
    case 'held':
      return {
        text: (
          <>
            {kind} read everything {ago(run.finishedAt)}; lines vanished: decide
          </>
        ),
        detail: 'So many records are missing that an admin must decide before any are marked.',
      }
    case 'failed':
      return {
        text: (
          <>
            {kind} failed {ago(run.finishedAt)}
          </>
        ),
        detail: (
          <>
            What had arrived is kept. {toNext(nextSyncAt, now)} Reference{' '}
            <code className="font-mono">{run.id.slice(0, 8)}</code>
          </>
        ),
      }
    case 'succeeded':
      return {
        text: (
          <>
            {kind} finished {ago(run.finishedAt)}: {describeResult(run)}
          </>
        ),
        detail: toNext(nextSyncAt, now),
      }
  }
}

function toNext(nextSyncAt: string | null, now: number): ReactNode {
  if (nextSyncAt === null) return null
  if (Date.parse(nextSyncAt) <= now) return 'Next automatic sync soon.'
  return (
    <>
      The next sync starts automatically <RelativeTime at={nextSyncAt} now={now} />.
    </>
  )
}
