import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { PartnerErrorKind } from '#lib/partner/partner-error.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { SyncKind, SyncList } from '#lib/reconcile/sync-run.ts'

export { SYNC_LISTS, type SyncKind, type SyncList } from '#lib/reconcile/sync-run.ts'

/**
 * A run as its worker holds it: pages are committed only while `fence` is the run's current one.
 */
export type ClaimedRun = {
  organizationId: OrganizationId
  id: string
  connectionId: ConnectionId
  kind: SyncKind
  fence: string
  /** How often the run was taken up since its last committed page, this time included. */
  attempts: number
}

/**
 * A part of a list, in days of issue (null = open end), of one status, or of one invoice. All null
 * is the whole list.
 */
export type WindowScope = {
  list: SyncList
  issuedFrom: string | null
  issuedUpto: string | null
  invoiceStatus: string | null
  serialNumber: string | null
}

/** A window as its checkpoint has it: what it covers and where its reading goes on. */
export type SyncWindow = WindowScope & {
  number: number
  /** Whether it is replaced by parts when it turns out to be long. */
  maySplit: boolean
  /** Which reading of the window this is; 1 unless the list moved under the walk. */
  pass: number
  /** The next record offset. */
  cursorOffset: number
}

/**
 * What became of the records of a page: `received` is the sum of the others (checked by the
 * database).
 */
export type PageCounts = {
  received: number
  inserted: number
  updated: number
  unchanged: number
  duplicate: number
  rejected: number
}

/**
 * A loss that is too large to be believed without an admin. Counts are of what was there before;
 * totals are of the missing lines, per currency, exact. `foundAt` is ISO 8601 in UTC.
 */
export type MassLoss = {
  runId: RunId
  foundAt: string
  lineCount: number
  missingLines: number
  invoiceCount: number
  missingInvoices: number
  totals: { currency: string; lineCount: number; totalAmount: DecimalText }[]
}

/**
 * A held loss after an admin's word; `rejected` = everything is kept. Moments are ISO 8601 in UTC.
 */
export type DecidedLoss = MassLoss & {
  decision: 'accepted' | 'rejected'
  decidedBy: string | null
  decidedAt: string
  /** What was marked as missing by it: what came back between the loss and the decision was not. */
  linesMarked: number
  invoicesMarked: number
}

/**
 * What the platform answered instead of its interface. `beginning`: at most 2 kB, masked. `seenAt`
 * is ISO 8601 in UTC.
 */
export type BadAnswer = {
  id: string
  runId: RunId
  list: string
  offset: number
  seenAt: string
  kind: string
  httpStatus: number | null
  reason: string
  beginning: string | null
}

/**
 * How reading a connection's rejected records again stands. `openCount`: those that are rejected
 * now.
 */
export type ReparseState = {
  connectionId: ConnectionId
  connectionName: string | null
  openCount: number
  isUnderWay: boolean
  /** When the last one ended (ISO 8601 in UTC); null when none did lately, or one is under way. */
  finishedAt: string | null
  /** Who asked; null for the program itself after an upgrade. */
  requestedBy: string | null
  /** What has come of it so far: read, and now in the ledger; still not to be read. */
  accepted: number
  stillRejected: number
  isFailed: boolean
}

/** A host of the platform as the circuit breaker sees it. Moments are ISO 8601 in UTC. */
export type HostState = {
  host: string
  circuit: 'closed' | 'open' | 'half_open'
  consecutiveFailures: number
  /** Since when calls do not go through; null while the circuit is closed. */
  openedAt: string | null
  /** When the next call may look; null while the circuit is closed. */
  retryAt: string | null
  lastFailureAt: string | null
  /** Null when it has not failed, or before this version. */
  lastFailure: HostFailure | null
}

/**
 * What is said to every organization of a failed call, whichever organization's it was: never the
 * platform's words, which may be about an account.
 */
export type HostFailure = { kind: PartnerErrorKind; status: number | null }

/** Places at which a test can stop or kill the worker; nothing happens there otherwise. */
export const FAILPOINTS = [
  'before-request',
  'after-response',
  'before-commit',
  'after-commit',
  'before-finish',
] as const
export type Failpoint = (name: (typeof FAILPOINTS)[number]) => void

/**
 * How a worker's hold of a run ended. `not-taken`: another worker has it, or it is over. `fenced`:
 * it was taken away, by another worker or by someone who paused or canceled it.
 */
export type RunOutcome = 'succeeded' | 'held' | 'failed' | 'postponed' | 'released' | 'not-taken' | 'fenced'

/**
 * `key`: a member that is not known; `type`: a known member of another type; `value`: a new value
 * of an enumeration.
 */
export type DriftKind = 'key' | 'type' | 'value'

/** A deviation from the known interface as the page shows it. Moments are ISO 8601 in UTC. */
export type InterfaceDrift = {
  list: SyncList
  path: string
  kind: DriftKind
  /** The type that was seen, or the value. */
  detail: string
  /** With personal data masked. */
  example: string
  firstSeenAt: string
  lastSeenAt: string
  /** Records that the last run to see it has parsed: new and changed ones, and all profiles. */
  recordCount: number
}

/** `isRecordedBefore`: other accounts have been seen to do the same. */
export type DriftRow = InterfaceDrift & { isRecordedBefore: boolean }

/**
 * What one committed page says about the list it came from. `keys` are signed 64-bit hashes, one
 * per record.
 */
export type WalkPage = { pass: number; total: number | null; keys: bigint[] }
