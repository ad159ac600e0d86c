/**
 * What about a connection needs attention, and how urgently. Sidebar, overview, banner, connections
 * pages and mails all count by this one definition. The words for it are in `components`.
 */
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import type { ConnectionSummary, ConsentCandidate, DisconnectProgress, RunProgress } from './model.ts'
import { isConnected } from './states.ts'

/**
 * - `link_ended`: its tokens are no longer good. `link_ran_out`: they were not renewed in time.
 *   `link_ends`: they run out soon
 * - `other_account`: the consent is for another account. `check_waits`: it has waited long to be
 *   compared
 * - `disconnect_waits`: a disconnect has not begun. `disconnect_unconfirmed`: the platform has not
 *   confirmed it
 * - `renewal_unfinished`: a worker stopped while renewing the tokens
 * - `sync_failed`. `sync_waits`: not begun. `sync_put_off`: the platform failed or asks us to wait.
 *   `sync_orphaned`: its worker stopped. `sync_stalled`: it runs without progress
 * - `loss_held`: an admin must decide about records that the platform no longer lists
 * - `scope_missing`: asked for and not granted
 */
export type ConcernCode =
  | 'link_ended'
  | 'link_ran_out'
  | 'link_ends'
  | 'other_account'
  | 'check_waits'
  | 'disconnect_waits'
  | 'disconnect_unconfirmed'
  | 'renewal_unfinished'
  | 'sync_failed'
  | 'sync_waits'
  | 'sync_put_off'
  | 'sync_orphaned'
  | 'sync_stalled'
  | 'loss_held'
  | 'scope_missing'

/** `since` (ISO 8601) is null for what is still to come or has no known beginning. */
export type Concern = { code: ConcernCode; tone: 'bad' | 'warn'; since: string | null }

/** What a connection's concerns are derived from. */
export type Concernable = Pick<
  ConnectionSummary,
  'state' | 'stateChangedAt' | 'refreshExpiresAt' | 'refreshOverdueSince' | 'scopesAsked' | 'scopesGranted' | 'openLoss'
> & {
  disconnect: Pick<DisconnectProgress, 'phase' | 'requestedAt' | 'attempts' | 'lastProblem'> | null
  candidate: Pick<ConsentCandidate, 'status' | 'obtainedAt'> | null
  run: Pick<
    RunProgress,
    'status' | 'requestedAt' | 'startedAt' | 'finishedAt' | 'leaseUntil' | 'progressAt' | 'errorText'
  > | null
}

/** Days before a link ends at which people are told. The last of them is urgent. */
export const LINK_WARNING_DAYS = [7, 3, 1] as const

/** Ages, in days, at which the worker renews unused tokens; daily after the last one. */
export const KEEP_ALIVE_DAYS = [10, 15, 20] as const

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** How long something may take before it is a concern. */
const LONG = { queued: MINUTE, noPage: 3 * MINUTE, orphaned: MINUTE, checking: 2 * MINUTE, disconnecting: 2 * MINUTE }

/** All concerns about a connection at `now` (milliseconds), worst first; empty when all is well. */
export function listConcerns(connection: Concernable, now: number): Concern[] {
  const found = [
    ...linkConcerns(connection, now),
    ...consentConcerns(connection, now),
    ...disconnectConcerns(connection, now),
    ...(isConnected(connection) ? runConcerns(connection, now) : []),
    ...(connection.openLoss === null ? [] : [warn('loss_held')]),
    ...(isConnected(connection) && listMissingScopes(connection).length > 0 ? [warn('scope_missing')] : []),
  ]
  return found.sort((a, b) => rank(a) - rank(b))
}

/** How urgently these concerns need attention: 0 most, 2 not at all. */
export function toUrgency([worst]: readonly Concern[]): 0 | 1 | 2 {
  return worst === undefined ? 2 : rank(worst)
}

/** Scopes that were asked for and not granted. */
export function listMissingScopes({
  scopesAsked,
  scopesGranted,
}: Pick<ConnectionSummary, 'scopesAsked' | 'scopesGranted'>): string[] {
  return scopesAsked.filter((scope) => !scopesGranted.includes(scope))
}

/** How urgent a link is that ends in `leftMs` milliseconds; null while nobody needs telling. */
export function toLinkTone(leftMs: number): Concern['tone'] | null {
  if (leftMs <= Math.min(...LINK_WARNING_DAYS) * DAY) return 'bad'
  return leftMs <= Math.max(...LINK_WARNING_DAYS) * DAY ? 'warn' : null
}

/** Whether a concern is about the link itself; every page shows those to admins. */
export function isAboutLink({ code }: Concern): boolean {
  return code === 'link_ended' || code === 'link_ran_out' || code === 'link_ends'
}

function rank({ tone }: Concern): 0 | 1 {
  return tone === 'bad' ? 0 : 1
}

function bad(code: ConcernCode, since: string | null = null): Concern {
  return { code, tone: 'bad', since }
}

function warn(code: ConcernCode, since: string | null = null): Concern {
  return { code, tone: 'warn', since }
}

function linkConcerns(connection: Concernable, now: number): Concern[] {
  const { state, stateChangedAt, refreshExpiresAt, refreshOverdueSince } = connection
  if (state === 'needs_reconnect') return [bad('link_ended', stateChangedAt)]
  if (!isConnected(connection) || refreshExpiresAt === null) return []
  const concerns: Concern[] = []
  const leftMs = Date.parse(refreshExpiresAt) - now
  const tone = toLinkTone(leftMs)
  if (leftMs <= 0) concerns.push(bad('link_ran_out', refreshExpiresAt))
  else if (tone !== null) concerns.push({ code: 'link_ends', tone, since: null })
  if (refreshOverdueSince !== null && isLongAgo(refreshOverdueSince, LONG.orphaned, now))
    concerns.push(warn('renewal_unfinished', refreshOverdueSince))
  return concerns
}

function consentConcerns({ candidate }: Concernable, now: number): Concern[] {
  if (candidate === null) return []
  if (candidate.status === 'other_account') return [bad('other_account', candidate.obtainedAt)]
  return isLongAgo(candidate.obtainedAt, LONG.checking, now) ? [warn('check_waits', candidate.obtainedAt)] : []
}

function disconnectConcerns({ state, stateChangedAt, disconnect }: Concernable, now: number): Concern[] {
  if (state !== 'disconnecting' || disconnect?.phase !== 'ending_link') return []
  const { attempts, lastProblem, requestedAt } = disconnect
  if (attempts === 0 && !isLongAgo(stateChangedAt, LONG.disconnecting, now)) return []
  const tone = lastProblem === 'client_refused' || isLongAgo(stateChangedAt, DAY, now) ? bad : warn
  return [tone(attempts === 0 ? 'disconnect_waits' : 'disconnect_unconfirmed', requestedAt)]
}

function runConcerns({ run }: Concernable, now: number): Concern[] {
  if (run?.status === 'failed') return [bad('sync_failed', run.finishedAt)]
  if (!isUnderWay(run)) return []
  if (run.status === 'queued') {
    const isLate = run.startedAt === null && isLongAgo(run.requestedAt, LONG.queued, now)
    return isLate ? [warn('sync_waits', run.requestedAt)] : []
  }
  if (run.leaseUntil !== null && isLongAgo(run.leaseUntil, LONG.orphaned, now))
    return [warn('sync_orphaned', run.leaseUntil)]
  // whoever takes the run up forgets its error; until then it waits, though its pause may be over
  if (run.errorText !== null && run.leaseUntil !== null) return [warn('sync_put_off')]
  const progressAt = run.progressAt ?? run.startedAt ?? run.requestedAt
  return isLongAgo(progressAt, LONG.noPage, now) ? [warn('sync_stalled', progressAt)] : []
}

function isLongAgo(moment: string, thanMs: number, now: number): boolean {
  return now - Date.parse(moment) > thanMs
}
