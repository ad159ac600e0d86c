/** What about a connection needs somebody, or takes longer than it should; in words, the worst first. */
import type { ConnectionSummary, RunProgress } from '../../lib/connections/model.ts'
import { isConnected } from '../../lib/connections/states.ts'
import { formatCount } from '../../lib/reconcile/format.ts'
import { isUnderWay } from '../../lib/reconcile/sync-run.ts'
import { describeSpan } from '../text/describe-span.ts'
import { plural } from '../text/plural.ts'
import { CAUSES, compareScopes } from './connection-state.ts'

/** `brief` is for a table's cell; the text when left out. */
export type Concern = {
  tone: 'bad' | 'warn'
  text: string
  brief?: string
  /** The panel of the connection's page that says it in full. */
  about?: 'other_account' | 'loss' | 'put_off'
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** How long something may take before the page says so. */
const LONG = { queued: MINUTE, noPage: 3 * MINUTE, orphaned: MINUTE, checking: 2 * MINUTE, disconnecting: 2 * MINUTE }
/** Days before the end of a link at which people are told, and how loudly. */
const LINK_DAYS = [
  [1, 'bad'],
  [3, 'warn'],
  [7, 'warn'],
] as const

/** What the platform said about ending a link, in our words. */
export const REVOKE_PROBLEMS: Record<string, string> = {
  unreachable: 'the platform could not be reached',
  timeout: 'the platform did not answer in time',
  throttled: 'the platform asks to wait',
  client_refused: 'the platform refuses this program’s own client id or secret; an operator has to correct it',
  refused: 'the platform refuses the request',
  unavailable: 'the platform reports a failure of its own',
  redirect: 'the address of the platform answers with a redirect; an operator has to correct it',
}

/** What stood in the way of comparing accounts. */
export const CHECK_PROBLEMS: Record<string, string> = {
  no_profiles: 'the account lists no profiles',
  throttled: 'the platform asks to wait',
  forbidden: 'the scope to read profiles was not granted',
  unauthorized: 'access was withdrawn again',
  expired: 'nobody checked it within the hour that the consent could be used',
  unreadable: 'the stored consent cannot be opened with the keys at hand',
}

/** All that somebody should know about a connection at `now` (milliseconds), the worst first. */
export function listConcerns(connection: ConnectionSummary, now: number): Concern[] {
  const found = [
    ...stateConcerns(connection, now),
    ...linkConcerns(connection, now),
    ...(isConnected(connection) ? runConcerns(connection, now) : []),
    ...lossConcerns(connection),
    ...scopeConcerns(connection),
  ]
  return found.sort((a, b) => rank(a) - rank(b))
}

/** Whether a connection belongs to those that need attention, and how much: 0 most, 2 not at all. */
export function toUrgency(connection: ConnectionSummary, now: number): 0 | 1 | 2 {
  const [worst] = listConcerns(connection, now)
  return worst === undefined ? 2 : rank(worst)
}

function rank({ tone }: Concern): 0 | 1 {
  return tone === 'bad' ? 0 : 1
}

function stateConcerns({ state, stateCause, stateChangedAt, disconnect, candidate }: ConnectionSummary, now: number) {
  const concerns: Concern[] = []
  const forMs = now - Date.parse(stateChangedAt)
  if (state === 'needs_reconnect')
    concerns.push({
      tone: 'bad',
      text: `The link has ended${stateCause ? `: ${CAUSES[stateCause]}` : ''}. Nothing new is read until it is reconnected; what was read is kept.`,
      brief: stateCause ? CAUSES[stateCause] : 'the link has ended',
    })
  if (candidate?.status === 'other_account')
    concerns.push({
      ...{ tone: 'bad', about: 'other_account' },
      text: 'Access was given for another account. Nothing of it was stored here.',
    })
  if (candidate?.status === 'unchecked' && now - Date.parse(candidate.obtainedAt) > LONG.checking)
    concerns.push({
      tone: 'warn',
      text: `The account has been waiting to be checked since ${since(candidate.obtainedAt, now)}${
        candidate.lastProblem ? `: ${CHECK_PROBLEMS[candidate.lastProblem] ?? 'the platform could not be reached'}` : ''
      }. ${candidate.attempts === 0 ? WORKER : `Tried ${times(candidate.attempts)}; next try ${span(candidate.nextTryAt, now)}.`}`,
    })
  if (state === 'disconnecting' && disconnect !== null && (disconnect.attempts > 0 || forMs > LONG.disconnecting)) {
    const problem = disconnect.lastProblem && REVOKE_PROBLEMS[disconnect.lastProblem]
    if (disconnect.phase === 'ending_link')
      concerns.push({
        tone: disconnect.lastProblem === 'client_refused' || forMs > DAY ? 'bad' : 'warn',
        brief: `not confirmed since ${since(disconnect.requestedAt, now)}; next try ${span(disconnect.nextTryAt, now)}`,
        text:
          disconnect.attempts === 0
            ? `Disconnecting was asked for ${since(disconnect.requestedAt, now)} and has not begun. ${WORKER}`
            : `The platform has not confirmed the end of the link: ${problem ?? 'no answer'}. Tried ${times(disconnect.attempts)} since ${since(disconnect.requestedAt, now)}; next try ${span(disconnect.nextTryAt, now)}. It counts as alive until then, and nothing is read from it.`,
      })
  }
  return concerns
}

const WORKER = 'An operator should see whether a worker is running.'

function linkConcerns(connection: ConnectionSummary, now: number): Concern[] {
  const { refreshExpiresAt, refreshOverdueSince } = connection
  if (!isConnected(connection) || refreshExpiresAt === null) return []
  const concerns: Concern[] = []
  const leftMs = Date.parse(refreshExpiresAt) - now
  const threshold = LINK_DAYS.find(([days]) => leftMs <= days * DAY)
  if (leftMs <= 0)
    concerns.push({
      tone: 'bad',
      text: 'The link ran out, having not been renewed for 30 days. Reconnect the account.',
    })
  else if (threshold)
    concerns.push({
      tone: threshold[1],
      text: `The link ends ${describeSpan(leftMs)} because it could not be renewed. Reconnect it now to avoid a gap.`,
      brief: `link ends ${describeSpan(leftMs)}: could not be renewed`,
    })
  if (refreshOverdueSince !== null && now - Date.parse(refreshOverdueSince) > LONG.orphaned)
    concerns.push({
      tone: 'warn',
      text: `A renewal of its tokens was left unfinished ${since(refreshOverdueSince, now)}, by a worker that stopped. The next one takes it up.`,
    })
  return concerns
}

function runConcerns({ run, lastGoodSyncAt }: ConnectionSummary, now: number): Concern[] {
  if (run === null) return []
  if (run.status === 'failed')
    return [
      {
        tone: 'bad',
        brief: run.errorText ?? 'see the connection for the reason',
        text: `The last sync failed${run.errorText ? `. ${run.errorText}` : '.'}${lastGoodSyncAt ? ` The last good one was ${since(lastGoodSyncAt, now)}.` : ''}`,
      },
    ]
  return isUnderWay(run) ? slowRun(run, now) : []
}

function slowRun(run: RunProgress, now: number): Concern[] {
  if (run.status === 'queued')
    return now - Date.parse(run.requestedAt) > LONG.queued && run.startedAt === null
      ? [{ tone: 'warn', text: `A sync was asked for ${since(run.requestedAt, now)} and has not begun. ${WORKER}` }]
      : []
  const leaseMs = run.leaseUntil === null ? 0 : Date.parse(run.leaseUntil) - now
  if (run.errorText !== null && leaseMs > 0)
    return [
      {
        ...{ tone: 'warn', about: 'put_off' },
        brief: `Goes on ${describeSpan(leaseMs)}. ${run.errorText}`,
        text: `The sync was put off. ${run.errorText} It goes on ${describeSpan(leaseMs)}.`,
      },
    ]
  if (run.leaseUntil !== null && leaseMs < -LONG.orphaned)
    return [
      {
        tone: 'warn',
        text: `The worker of the sync stopped ${since(run.leaseUntil, now)}; another one takes it up where it was. ${WORKER}`,
      },
    ]
  const progressAt = run.progressAt ?? run.startedAt ?? run.requestedAt
  if (now - Date.parse(progressAt) > LONG.noPage)
    return [
      { tone: 'warn', text: `The sync is running without progress: its last page came ${since(progressAt, now)}.` },
    ]
  return []
}

function lossConcerns({ openLoss }: ConnectionSummary): Concern[] {
  if (openLoss === null) return []
  const { missingLines, missingInvoices } = openLoss
  const counts = `${plural(missingLines, 'line')} and ${plural(missingInvoices, 'invoice')}`
  return [
    {
      ...{ tone: 'warn', about: 'loss', brief: `${counts} are gone from the platform; an admin decides` },
      text: `${counts} are not on the platform any more. Nothing was changed; an admin decides.`,
    },
  ]
}

function scopeConcerns(connection: ConnectionSummary): Concern[] {
  if (!isConnected(connection)) return []
  const { missing } = compareScopes(connection)
  if (missing.length === 0) return []
  return [
    {
      tone: 'warn',
      brief: `scope not granted: ${missing.join(', ')}`,
      text: `${missing.length === 1 ? 'A scope was' : `${formatCount(missing.length)} scopes were`} asked for and not granted: ${missing.join(', ')}. Reconnect it and allow ${missing.length === 1 ? 'it' : 'them'}.`,
    },
  ]
}

function since(at: string, now: number): string {
  return describeSpan(Math.min(0, Date.parse(at) - now))
}

function span(at: string, now: number): string {
  const ms = Date.parse(at) - now
  return ms <= 0 ? 'now' : describeSpan(ms)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}
