import type { MarkKind } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import type { RunProgress } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { RunStatus, SyncKind, SyncTrigger } from '#lib/reconcile/sync-run.ts'

/** Names of the kinds of sync. */
export const RUN_KINDS: Record<SyncKind, string> = {
  backfill: 'First import',
  changes: 'Sync of changes',
  incremental: 'Sync of recent lines',
  verification: 'Full check',
  invoices: 'Sync of single invoices',
}

/** A run's status as a word and a shape. */
export const RUN_STATES: Record<RunStatus, string> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  paused: 'Paused',
  held: 'Held',
  canceled: 'Canceled',
}
export const RUN_MARKS: Record<RunStatus, MarkKind> = {
  queued: 'open',
  running: 'partial',
  succeeded: 'good',
  failed: 'failed',
  paused: 'held',
  held: 'held',
  canceled: 'open',
}

export const RUN_TRIGGERS: Record<SyncTrigger, string> = {
  connect: 'after connecting',
  manual: 'on request',
  schedule: 'by schedule',
  webhook: 'on a hint from the platform',
}

/**
 * How far a run is: `Lines 350 of 612`. `percent` is of the list being read, null until its size is
 * known.
 */
export function describeProgress(run: RunProgress): { text: string; percent: number | null } {
  if (run.status === 'queued') return { text: 'Waiting for the worker', percent: null }
  if (run.phase === null) return { text: 'Starting', percent: null }
  const { received, expected } = run[run.phase]
  const name = `${run.phase.charAt(0).toUpperCase()}${run.phase.slice(1)}`
  if (expected === null) return { text: `${name} ${formatCount(received)}`, percent: null }
  const percent = expected === 0 ? 100 : Math.min(100, Math.floor((received / expected) * 100))
  // a list that moved is read again from its start, so more can be received than exist
  return { text: `${name} ${formatCount(Math.min(received, expected))} of ${formatCount(expected)}`, percent }
}

/** What a finished run changed, for the line under the state; null when nothing is worth saying. */
export function describeResult(run: RunProgress): string | null {
  if (run.status !== 'succeeded') return null
  const parts = [
    [run.inserted, 'new'],
    [run.updated, 'changed'],
    [run.rejected, 'not imported'],
  ] as const
  if (run.kind === 'backfill' && run.inserted > 0) return describeFirstImport(run)
  const said = parts.filter(([count]) => count > 0)
  if (said.length === 0) return 'nothing new'
  return said
    .map(([count, word], index) =>
      index === 0 ? `${plural(count, 'record')} ${word}` : `${formatCount(count)} ${word}`,
    )
    .join(', ')
}

/** `520 lines and 66 invoices imported`: all of a new account is no news of 586 changes. */
function describeFirstImport({ lines, invoices, rejected }: RunProgress): string {
  const toCount = ({ received, expected }: RunProgress['lines']) => Math.min(received, expected ?? received)
  const read = `${plural(toCount(lines), 'line')} and ${plural(toCount(invoices), 'invoice')}`
  return rejected === 0 ? `${read} imported` : `${read} read, ${formatCount(rejected)} of them not imported`
}

/**
 * The share of the platform's invoices and lines that is read, in whole percent rounded down; null
 * until both are counted. A list that moved is read again, so more can be received than exist.
 */
export function toPercent({ invoices, lines }: Pick<RunProgress, 'invoices' | 'lines'>): number | null {
  if (invoices.expected === null || lines.expected === null) return null
  const expected = invoices.expected + lines.expected
  if (expected === 0) return 100
  const received = Math.min(invoices.received, invoices.expected) + Math.min(lines.received, lines.expected)
  return Math.floor((received / expected) * 100)
}
