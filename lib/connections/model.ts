/** How far a run has come with one list; `expected` is null until the platform has said how many there are. */
export type ListProgress = { received: number; expected: number | null }

/** A connection's current run, or its last one. Moments are ISO 8601 in UTC. */
export type RunProgress = {
  id: string
  /** `held`: a loss waits for an admin's decision; `paused`: waits to be resumed. */
  status: 'queued' | 'running' | 'paused' | 'succeeded' | 'held' | 'failed' | 'canceled'
  kind: 'backfill' | 'incremental' | 'verification' | 'invoices'
  phase: 'profiles' | 'invoices' | 'lines' | null
  trigger: 'connect' | 'manual' | 'schedule' | 'webhook'
  requestedAt: string
  startedAt: string | null
  finishedAt: string | null
  profiles: ListProgress
  invoices: ListProgress
  lines: ListProgress
  inserted: number
  updated: number
  unchanged: number
  duplicate: number
  rejected: number
  /** The parts in which long lists are read: how many there are so far, and how many are complete. */
  windows: { known: number; complete: number }
  /** Records a second over the last minute; null while there is nothing to measure. */
  recordsPerSecond: number | null
  /** At that rate; null when it cannot be said. */
  secondsLeft: number | null
  linesMissing: number
  invoicesMissing: number
  /** Until when the run waits before it tries again (the platform asked for it, or failed); null while it works. */
  waitsUntil: string | null
  errorCode: string | null
  errorText: string | null
}

export type ConnectionState = 'pending' | 'active' | 'refreshing' | 'needs_reconnect' | 'disconnecting' | 'disconnected'

/** Why a connection needs to be connected again; null while it does not. */
export type ReconnectCause = 'refresh_expired' | 'lost_response' | 'revoked_or_reused' | 'rejected'

/** One customer account of the platform as the connections page shows it. Moments are ISO 8601 in UTC. */
export type ConnectionSummary = {
  id: string
  /** Null until the first sync has named the account after its profiles. */
  name: string | null
  state: ConnectionState
  stateCause: ReconnectCause | null
  profiles: { id: string; name: string | null; currency: string | null }[]
  connectedAt: string | null
  connectedBy: string | null
  lineCount: number
  invoiceCount: number
  rejectedCount: number
  lastGoodSyncAt: string | null
  refreshExpiresAt: string | null
  accessExpiresAt: string | null
  run: RunProgress | null
  /** When the next sync starts by itself; null until the first has ended. */
  nextSyncAt: string | null
}
