import type { ConnectionId } from '#lib/ids.ts'
import type { RunStatus, SyncKind, SyncList, SyncTrigger } from '#lib/reconcile/sync-run.ts'

/**
 * How far a run has come with one list; `expected` is null until the platform has said how many
 * there are.
 */
export type ListProgress = { received: number; expected: number | null }

/** A connection's current run, or its last one. Moments are ISO 8601 in UTC. */
export type RunProgress = {
  id: string
  status: RunStatus
  kind: SyncKind
  phase: SyncList | null
  trigger: SyncTrigger
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
  /**
   * The parts in which long lists are read: how many there are so far, and how many are complete.
   */
  windows: { known: number; complete: number }
  /**
   * Records a second over the last 20 seconds, and lines alone; null while there is nothing to
   * measure.
   */
  recordsPerSecond: number | null
  linesPerSecond: number | null
  /** At the rate of records; null when it cannot be said. */
  secondsLeft: number | null
  linesMissing: number
  invoicesMissing: number
  /**
   * Until when the run waits before it tries again (the platform asked for it, or failed); null
   * while it works.
   */
  waitsUntil: string | null
  errorCode: string | null
  errorText: string | null
  /** Until when its worker holds it, or until when it is put off; null when nobody does. */
  leaseUntil: string | null
  /** When its newest page was stored; null before the first. */
  progressAt: string | null
}

/**
 * A part of a list that is being read: days of issue (null = open end), one status, or one invoice.
 */
export type PartInHand = {
  list: SyncList
  issuedFrom: string | null
  issuedUpto: string | null
  invoiceStatus: string | null
  serialNumber: string | null
  /** Which reading of the part this is; more than 1 when it moved while it was read. */
  pass: number
}

/**
 * What goes on with a connection's newest run. Moments are ISO 8601 in UTC, `at` by the database's
 * clock.
 */
export type SyncActivity = {
  at: string
  run: RunProgress | null
  /** What it reads, or stopped in; empty when the run is neither running nor paused. */
  reading: PartInHand[]
  /** Who paused or canceled the run, and when; null when it is neither. */
  stopped: { by: string | null; at: string } | null
}

export type ConnectionState = 'pending' | 'active' | 'refreshing' | 'needs_reconnect' | 'disconnecting' | 'disconnected'

/**
 * Why a connection is as it is, beside its state; null when the state speaks for itself.
 * `other_account`: the consent given to reconnect is for another account. `not_confirmed`: it could
 * not be found out whether it is the same one.
 */
export type StateCause =
  | 'refresh_expired'
  | 'lost_response'
  | 'revoked_or_reused'
  | 'rejected'
  | 'key_lost'
  | 'other_account'
  | 'not_confirmed'

/** The causes for which a refresh ends a connection. */
export type ReconnectCause = Exclude<StateCause, 'key_lost' | 'other_account' | 'not_confirmed'>

export type ConnectionEventKind =
  | 'created'
  | 'state'
  | 'connected'
  | 'consent_given'
  | 'account_confirmed'
  | 'other_account'
  | 'not_confirmed'
  | 'kept_as_new'
  | 'candidate_destroyed'
  | 'disconnect_requested'
  | 'revoke_failed'
  | 'link_ended'
  | 'tokens_destroyed'
  | 'data_deleted'
  | 'sync_resumed'
  | 'sync_paused'
  | 'sync_continued'
  | 'sync_canceled'
  | 'loss_kept'
  | 'loss_marked'
  | 'schedule_changed'

/** Minutes from one sync to the next, give or take a tenth, that an admin can choose between. */
export const SYNC_INTERVALS = [15, 60, 240, 1440] as const
export type SyncInterval = (typeof SYNC_INTERVALS)[number]

/**
 * One thing that happened to a connection. `actorName` is null for the program itself; moments are
 * ISO 8601 in UTC.
 */
export type ConnectionEvent = {
  number: string
  happenedAt: string
  kind: ConnectionEventKind
  fromState: ConnectionState | null
  toState: ConnectionState | null
  cause: string | null
  actorName: string | null
  detail: string | null
}

/** How far a disconnect is; `phase` is what it is at. */
export type DisconnectProgress = {
  dataChoice: 'keep' | 'delete'
  phase: 'ending_link' | 'deleting_data'
  requestedAt: string
  requestedBy: string | null
  attempts: number
  nextTryAt: string
  lastProblem: string | null
  erasedRows: number
}

/** A consent that waits for the comparison of accounts, or was found to be for another one. */
export type ConsentCandidate = {
  status: 'unchecked' | 'other_account'
  consentedBy: string | null
  obtainedAt: string
  accessExpiresAt: string
  attempts: number
  nextTryAt: string
  lastProblem: string | null
  profileNames: string[]
  /** The organization's connection that already holds the other account. */
  heldBy: { id: string; name: string | null } | null
}

/**
 * One customer account of the platform as the connections pages show it. Moments are ISO 8601 in
 * UTC.
 */
export type ConnectionSummary = {
  id: ConnectionId
  /** Null until the first sync has named the account after its profiles. */
  name: string | null
  state: ConnectionState
  stateCause: StateCause | null
  stateChangedAt: string
  profiles: { id: string; name: string | null; currency: string | null }[]
  scopesAsked: string[]
  scopesGranted: string[]
  connectedAt: string | null
  connectedBy: string | null
  lineCount: number
  invoiceCount: number
  rejectedCount: number
  lastGoodSyncAt: string | null
  /** When the tokens at hand were obtained, and when the refresh token was; null without tokens. */
  tokensObtainedAt: string | null
  refreshObtainedAt: string | null
  refreshExpiresAt: string | null
  accessExpiresAt: string | null
  /** The end of the lease under which a worker is renewing the tokens; null while none does. */
  refreshingUntil: string | null
  /** Since when a renewal is left unfinished: its worker's lease has run out without a result. */
  refreshOverdueSince: string | null
  dataDeletedAt: string | null
  disconnect: DisconnectProgress | null
  candidate: ConsentCandidate | null
  run: RunProgress | null
  /** What a complete reading has not found and an admin has to decide about. */
  openLoss: { missingLines: number; missingInvoices: number } | null
  /** When the next sync starts by itself; null until the first has ended. */
  nextSyncAt: string | null
  /** How often it is synced by itself, in minutes. */
  syncEveryMinutes: number
}
