import type { RunProgress } from '../../lib/connections/model.ts'
import type { MarkKind } from '../primitives/mark.tsx'

/** What kind of sync it is, by what it sets out to read. */
export const RUN_KINDS: Record<RunProgress['kind'], string> = {
  backfill: 'Backfill',
  incremental: 'Incremental sync',
  verification: 'Complete verification',
  invoices: 'Sync of single invoices',
}

export const RUN_MARKS: Record<RunProgress['status'], MarkKind> = {
  queued: 'open',
  running: 'partial',
  succeeded: 'good',
  failed: 'failed',
  paused: 'held',
  held: 'held',
  canceled: 'open',
}

export const RUN_TRIGGERS: Record<RunProgress['trigger'], string> = {
  connect: 'after connecting',
  manual: 'asked for',
  schedule: 'by schedule',
  webhook: 'told by the platform',
}

/**
 * How much of the invoices and lines that the platform has named is read, in whole percent rounded down; null until it has
 * named both. A list that moved is read again: more is received than there is.
 */
export function toPercent({ invoices, lines }: Pick<RunProgress, 'invoices' | 'lines'>): number | null {
  if (invoices.expected === null || lines.expected === null) return null
  const expected = invoices.expected + lines.expected
  if (expected === 0) return 100
  const received = Math.min(invoices.received, invoices.expected) + Math.min(lines.received, lines.expected)
  return Math.floor((received / expected) * 100)
}
