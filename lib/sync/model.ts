import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { PartnerErrorKind } from '#lib/partner/partner-error.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { SyncKind, SyncList } from '#lib/reconcile/sync-run.ts'

export { SYNC_LISTS, type SyncKind, type SyncList } from '#lib/reconcile/sync-run.ts'

/**
 * A run as its worker holds it. Pages are committed only while `fence` is the run's current one.
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
 * A part of a list: days of issue (null = open end), one status, or one invoice. All null is the
 * whole list.
 */
export type WindowScope = {
  list: SyncList
  issuedFrom: string | null
  issuedUpto: string | null
  invoiceStatus: string | null
  serialNumber: string | null
}

/** A window as its checkpoint stores it: what it covers and where to go on. */
export type SyncWindow = WindowScope & {
  number: number
  /** Whether it may be replaced by parts if it turns out to be long. */
  maySplit: boolean
  /** Which reading of the window this is; 1 unless the list moved during the walk. */
  pass: number
  /** The next record offset. */
  cursorOffset: number
}

/** What became of a page's records. `received` is the sum of the others; the database checks it. */
export type PageCounts = {
  received: number
  inserted: number
  updated: number
  unchanged: number
  duplicate: number
  rejected: number
}

/**
 * A loss too large to believe without an admin. Counts are of what was there before; totals are of
 * the missing lines, per currency, exact. `foundAt` is ISO 8601 in UTC.
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

/** So long an accepted loss can be taken back. */
export const TAKE_BACK_DAYS = 30

/** More than so many are accepted only by somebody who types their number. */
const MOST_UNTYPED = 20

/** The number that has to be typed to accept this loss; null when none has to. */
export function countToType({ lineCount, invoiceCount }: { lineCount: number; invoiceCount: number }): number | null {
  // invoices can be gone without a line that is
  const count = lineCount > 0 ? lineCount : invoiceCount
  return Math.max(lineCount, invoiceCount) > MOST_UNTYPED ? count : null
}

/** A held loss after the decision; `rejected` = everything is kept. Moments are ISO 8601 in UTC. */
export type DecidedLoss = MassLoss & {
  decision: 'accepted' | 'rejected'
  decidedBy: string | null
  decidedAt: string
  /** What was marked missing: what came back between the loss and the decision was not. */
  linesMarked: number
  invoicesMarked: number
  /** Who took the acceptance back and when, and what counted again; null when nobody did. */
  takenBack: { by: string | null; at: string; lineCount: number; invoiceCount: number } | null
}

/**
 * An accepted loss that can still be taken back, with what would count again. Moments are ISO 8601
 * in UTC.
 */
export type AcceptedLoss = {
  runId: RunId
  decidedBy: string | null
  decidedAt: string
  /** Until when it can be taken back. */
  until: string
  lineCount: number
  invoiceCount: number
  totals: MassLoss['totals']
}

/**
 * An answer that broke the platform's interface. `beginning`: at most 2 kB, masked. `seenAt` is ISO
 * 8601 in UTC.
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

/** Progress of reading a connection's rejected records again. `openCount`: those rejected now. */
export type ReparseState = {
  connectionId: ConnectionId
  connectionName: string | null
  openCount: number
  isUnderWay: boolean
  /** When the last one ended (ISO 8601 in UTC); null if none ended lately, or one is under way. */
  finishedAt: string | null
  /** Who asked; null when the program did, after an upgrade. */
  requestedBy: string | null
  /** Results so far: records now in the ledger, and records that still cannot be read. */
  accepted: number
  stillRejected: number
  isFailed: boolean
}

/** A platform host as the circuit breaker sees it. Moments are ISO 8601 in UTC. */
export type HostState = {
  host: string
  circuit: 'closed' | 'open' | 'half_open'
  consecutiveFailures: number
  /** Since when calls have been blocked; null while the circuit is closed. */
  openedAt: string | null
  /** When the next call may probe the host; null while the circuit is closed. */
  retryAt: string | null
  lastFailureAt: string | null
  /** Null if it has not failed, or not since the version that records this. */
  lastFailure: HostFailure | null
}

/**
 * What every organization may see of a failed call, even another organization's. Never the
 * platform's words: they may be about an account.
 */
export type HostFailure = { kind: PartnerErrorKind; status: number | null }

/** Points at which a test can stop or kill the worker; otherwise nothing happens there. */
export const FAILPOINTS = [
  'before-request',
  'after-response',
  'before-commit',
  'after-commit',
  'before-finish',
  'after-finish',
] as const
export type Failpoint = (name: (typeof FAILPOINTS)[number]) => void

/**
 * How a worker's hold of a run ended. `not-taken`: another worker has it, or it is over. `fenced`:
 * it was taken away, by another worker or by a user who paused or canceled it.
 */
export type RunOutcome = 'succeeded' | 'held' | 'failed' | 'postponed' | 'released' | 'not-taken' | 'fenced'

/**
 * `key`: an unknown member; `type`: a known member of another type; `value`: a new enumeration
 * value.
 */
export type DriftKind = 'key' | 'type' | 'value'

/** A deviation from the known interface, as the page shows it. Moments are ISO 8601 in UTC. */
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
  /** Records parsed by the last run that saw it: new and changed ones, and all profiles. */
  recordCount: number
}

/** `isRecordedBefore`: other accounts do the same. */
export type DriftRow = InterfaceDrift & { isRecordedBefore: boolean }

/** What one committed page says about its list. `keys`: a signed 64-bit hash per record. */
export type WalkPage = { pass: number; total: number | null; keys: bigint[] }
