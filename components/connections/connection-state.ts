import type { ConnectionSummary, ReconnectCause, RunProgress } from '../../lib/connections/model.ts'
import { formatCount } from '../../lib/reconcile/format.ts'
import type { MarkKind } from '../primitives/mark.tsx'
import { plural } from '../text/plural.ts'

export type StateText = { mark: MarkKind; text: string; detail: string | null }

const CAUSES: Record<ReconnectCause, string> = {
  refresh_expired: 'not used for 30 days, so the link ended',
  lost_response: 'an answer was lost after the token was used',
  revoked_or_reused: 'access was withdrawn on the platform',
  rejected: 'the platform refuses to renew the link',
}

/** A connection's state: a shape, a text and, when something is wrong, why. */
export function toStateText({ state, stateCause, run }: ConnectionSummary): StateText {
  switch (state) {
    case 'needs_reconnect':
      return { mark: 'failed', text: 'Needs reconnect', detail: stateCause && CAUSES[stateCause] }
    case 'disconnecting':
      return { mark: 'held', text: 'Disconnecting', detail: null }
    case 'disconnected':
      return { mark: 'held', text: 'Disconnected', detail: 'its lines are kept' }
    case 'pending':
      return { mark: 'open', text: 'Not connected yet', detail: null }
    case 'active':
    case 'refreshing':
      if (isUnderWay(run)) return { mark: 'partial', text: 'Syncing', detail: null }
      if (run?.status === 'failed') return { mark: 'failed', text: 'Last sync failed', detail: null }
      return { mark: 'good', text: 'Active', detail: null }
  }
}

export function isUnderWay(run: RunProgress | null): run is RunProgress & { status: 'queued' | 'running' } {
  return run?.status === 'queued' || run?.status === 'running'
}

/** How far a run is: `Lines 350 of 612`; the share is of the list being read, null until its size is known. */
export function describeProgress(run: RunProgress): { text: string; percent: number | null } {
  if (run.status === 'queued') return { text: 'Waiting for the worker', percent: null }
  if (run.phase === null) return { text: 'Starting', percent: null }
  const { received, expected } = run[run.phase]
  const name = `${run.phase.charAt(0).toUpperCase()}${run.phase.slice(1)}`
  if (expected === null) return { text: `${name} ${formatCount(received)}`, percent: null }
  const percent = expected === 0 ? 100 : Math.min(100, Math.floor((received / expected) * 100))
  // a list that moved is read again from its start: more is received than there is
  return { text: `${name} ${formatCount(Math.min(received, expected))} of ${formatCount(expected)}`, percent }
}

/** What a finished run changed, for the line under the state; null when there is nothing worth saying. */
export function describeResult(run: RunProgress): string | null {
  if (run.status !== 'succeeded') return null
  const parts = [
    [run.inserted, 'new'],
    [run.updated, 'changed'],
    [run.rejected, 'rejected'],
  ] as const
  const said = parts.filter(([count]) => count > 0)
  if (said.length === 0) return 'nothing new'
  return said
    .map(([count, word], index) =>
      index === 0 ? `${plural(count, 'record')} ${word}` : `${formatCount(count)} ${word}`,
    )
    .join(', ')
}

/** The account's name: after its profiles, once the first sync has read them. */
export function toAccountName(connection: Pick<ConnectionSummary, 'name' | 'profiles'>): string {
  return connection.name ?? connection.profiles[0]?.name ?? 'New account'
}
