import type { ReactNode } from 'react'
import { describeRest } from '#components/text/describe-rest.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { ListProgress, RunProgress } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/**
 * How far a run is: each list against the platform's count, its parts, the records' outcome, and
 * the pace.
 */
export function SyncFigures({ run }: { run: RunProgress }) {
  const { windows } = run
  const isRunning = run.status === 'running' && run.waitsUntil === null
  return (
    <dl className="mt-2.5 grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] gap-x-5 gap-y-2 text-[13px] tabular-nums max-md:grid-cols-2">
      <Figure name="Profiles">
        <Count progress={run.profiles} />
      </Figure>
      <Figure name="Invoices">
        <Count progress={run.invoices} />
      </Figure>
      <Figure name="Lines">
        <Count progress={run.lines} />
      </Figure>
      <Figure name="Periods imported">
        {formatCount(windows.complete)} of {formatCount(windows.known)}
      </Figure>
      <Figure name="So far">{describeOutcome(run)}</Figure>
      <Figure name="Speed">
        {isRunning ? (
          (describePace(run) ?? <span className="text-ink3">being measured</span>)
        ) : (
          <Unknown label="none" />
        )}
      </Figure>
      <Figure name="Time left">{isRunning ? describeLeft(run) : <Unknown label="not known" />}</Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A list that moved is read again, so more can be received than exist. */
function Count({ progress: { received, expected } }: { progress: ListProgress }) {
  if (expected === null)
    return received === 0 ? <span className="text-ink3">not counted yet</span> : formatCount(received)
  return `${formatCount(Math.min(received, expected))} of ${formatCount(expected)}`
}

function describeOutcome({ inserted, updated, unchanged, rejected }: RunProgress): string {
  const said = (
    [
      [inserted, 'new'],
      [updated, 'changed'],
      [unchanged, 'unchanged'],
      [rejected, 'not imported'],
    ] as const
  ).filter(([count]) => count > 0)
  return said.length === 0 ? 'nothing yet' : said.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ')
}

function describePace({ linesPerSecond, recordsPerSecond }: RunProgress): string | null {
  if (linesPerSecond !== null) return `${toRate(linesPerSecond)} lines a second`
  return recordsPerSecond === null ? null : `${toRate(recordsPerSecond)} records a second`
}

/** A speed is known to two digits. */
function toRate(perSecond: number): string {
  return perSecond < 1 ? 'under 1' : formatCount(Number(Math.round(perSecond).toPrecision(perSecond < 100 ? 2 : 3)))
}

function describeLeft({ secondsLeft }: RunProgress): ReactNode {
  if (secondsLeft === null) return <span className="text-ink3">being estimated</span>
  return secondsLeft === 0 ? 'finishing' : describeRest(secondsLeft)
}
