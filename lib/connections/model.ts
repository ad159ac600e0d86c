import type { ConnectionId } from '#lib/ids.ts'
import type { RunStatus, SyncKind, SyncList, SyncTrigger } from '#lib/reconcile/sync-run.ts'

/** How far a run has read one list; `expected` is null until the platform states the total. */
export type ListProgress = { received: number; expected: number | null }

/** A connection's current or last run. Moments are ISO 8601 in UTC. */
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
  /** The parts in which long lists are read: how many so far, and how many are complete. */
  windows: { known: number; complete: number }
  /** Over the last 20 seconds: all records, and lines alone; null when not measurable. */
  recordsPerSecond: number | null
  linesPerSecond: number | null
  /** At the rate of records; null while unknown. */
  secondsLeft: number | null
  linesMissing: number
  invoicesMissing: number
  /** When the run tries again after the platform failed or asked to wait; null while it works. */
  waitsUntil: string | null
  errorCode: string | null
  errorText: string | null
  /** Until when its worker holds it, or it is put off; null when nobody holds it. */
  leaseUntil: string | null
  /** When its newest page was stored; null before the first. */
  progressAt: string | null
}

/** A part of a list being read: days of issue (null = open end), one status, or one invoice. */
export type PartInHand = {
  list: SyncList
  issuedFrom: string | null
  issuedUpto: string | null
  invoiceStatus: string | null
  serialNumber: string | null
  /** Which reading of the part this is; more than 1 when the list moved during a reading. */
  pass: number
}

/** What the newest run is doing. Moments are ISO 8601 in UTC, `at` by the database's clock. */
export type SyncActivity = {
  at: string
  run: RunProgress | null
  /** What it is reading, or stopped in; empty when the run is neither running nor paused. */
  reading: PartInHand[]
  /** Who paused or canceled the run, and when; null when it is neither. */
  stopped: { by: string | null; at: string } | null
}

export type ConnectionState = 'pending' | 'active' | 'refreshing' | 'needs_reconnect' | 'disconnecting' | 'disconnected'

/**
 * Why a connection is in its state; null when the state speaks for itself. `other_account`: the
 * consent to reconnect is for another account. `not_confirmed`: we could not find out whether it is
 * the same.
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
  | 'loss_taken_back'
  | 'schedule_changed'
  | 'look_back_changed'
  | 'verification_changed'

/** Minutes between syncs, give or take a tenth, that an admin can choose from. */
export const SYNC_INTERVALS = [15, 60, 240, 1440] as const
/** Hours between readings of all lines of the look-back window, to choose from. */
export const LOOK_BACK_INTERVALS = [6, 12, 24, 48] as const
/** Days between readings of everything, to choose from. */
export const VERIFY_INTERVALS = [1, 7, 14, 28] as const

/** How often an account is read, each in its unit. */
export type SyncSchedule = {
  minutes: (typeof SYNC_INTERVALS)[number]
  lookBackHours: (typeof LOOK_BACK_INTERVALS)[number]
  verifyDays: (typeof VERIFY_INTERVALS)[number]
}

/** One thing that happened. `actorName` is null for the program; moments are ISO 8601 in UTC. */
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

/** How far a disconnect has come; `phase` is its current step. */
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

/** A consent whose account waits to be compared, or turned out to be another one. */
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

/** One customer account as the connections pages show it. Moments are ISO 8601 in UTC. */
export type ConnectionSummary = {
  id: ConnectionId
  /** The organization's own name for it, else the platform's; null while there is neither. */
  name: string | null
  /** What the platform calls it, by its profiles; null until the first sync has read them. */
  platformName: string | null
  state: ConnectionState
  stateCause: StateCause | null
  stateChangedAt: string
  profiles: { id: string; name: string | null; currency: string | null }[]
  scopesAsked: string[]
  scopesGranted: string[]
  connectedAt: string | null
  connectedBy: string | null
  /** Those that count in totals: without what is gone from the platform. */
  lineCount: number
  invoiceCount: number
  goneLineCount: number
  rejectedCount: number
  lastGoodSyncAt: string | null
  /** When the current tokens, and the refresh token, were obtained; null without tokens. */
  tokensObtainedAt: string | null
  refreshObtainedAt: string | null
  refreshExpiresAt: string | null
  accessExpiresAt: string | null
  /** The end of the lease under which a worker is renewing the tokens; null while none is. */
  refreshingUntil: string | null
  /** Since when a renewal is unfinished: its worker's lease ran out without a result. */
  refreshOverdueSince: string | null
  dataDeletedAt: string | null
  disconnect: DisconnectProgress | null
  candidate: ConsentCandidate | null
  run: RunProgress | null
  /** Records that a complete reading did not find, for an admin to decide about. */
  openLoss: { missingLines: number; missingInvoices: number } | null
  /** When the next scheduled sync starts; null until the first has ended. */
  nextSyncAt: string | null
  /** Minutes between scheduled syncs. */
  syncEveryMinutes: number
  /**
   * All lines of the look-back window: hours between readings, when the last one ended, and after
   * which moment a scheduled sync reads them again.
   */
  lookBackEveryHours: number
  lookedBackAt: string | null
  nextLookBackAt: string | null
  /**
   * The same of everything, in days. A reading of everything is one of the look-back window too.
   */
  verifyEveryDays: number
  verifiedAt: string | null
  nextVerificationAt: string | null
}
