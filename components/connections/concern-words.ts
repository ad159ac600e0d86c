/** Words for the concerns of lib/connections/concerns.ts. */

import { describeSpan } from '#components/text/describe-span.ts'
import { plural } from '#components/text/plural.ts'
import { type Concern, listMissingScopes } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { CAUSES } from './connection-state.ts'

/** `brief` fits a table cell or a second line; `text` is the full sentence. */
type ConcernWords = { brief: string; text: string }

const WORKER = 'An operator should check that a worker is running.'

/** Why the platform did not confirm a disconnect, in our words. */
export const REVOKE_PROBLEMS: Record<string, string> = {
  unreachable: 'the platform could not be reached',
  timeout: 'the platform did not answer in time',
  throttled: 'the platform asks to wait',
  client_refused: 'the platform refuses Tieout’s client id or secret; an operator must correct it',
  refused: 'the platform refuses the request',
  unavailable: 'the platform reports an internal failure',
  redirect: 'the platform’s address redirects; an operator must correct it',
}

/** Why the accounts could not be compared. */
export const CHECK_PROBLEMS: Record<string, string> = {
  no_profiles: 'the account lists no profiles',
  throttled: 'the platform asks to wait',
  forbidden: 'the scope to read profiles was not granted',
  unauthorized: 'access was revoked again',
  expired: 'it was not checked within the hour that the consent was valid',
  unreadable: 'the stored consent cannot be opened with the available keys',
}

export function describeConcern(concern: Concern, connection: ConnectionSummary, now: number): ConcernWords {
  const { text, brief = text } = toWords(concern, connection, now)
  return { text, brief }
}

function toWords(
  { code, since }: Concern,
  { stateCause, refreshExpiresAt, candidate, disconnect, run, lastGoodSyncAt, openLoss, ...scopes }: ConnectionSummary,
  now: number,
): { text: string; brief?: string } {
  const ago = since === null ? '' : describeSpan(Math.min(0, Date.parse(since) - now))
  switch (code) {
    case 'link_ended': {
      const cause = stateCause && CAUSES[stateCause]
      return {
        brief: cause ?? 'the link has ended',
        text: `The link has ended${cause ? `: ${cause}` : ''}. Nothing new is read until it is reconnected; what was read is kept.`,
      }
    }
    case 'link_ran_out':
      return { text: 'The link expired after 30 days without renewal. Reconnect the account.' }
    case 'link_ends': {
      const ends = describeSpan(Date.parse(refreshExpiresAt ?? '') - now)
      return {
        brief: `link ends ${ends}: could not be renewed`,
        text: `The link ends ${ends} because it could not be renewed. Reconnect it now to avoid a gap.`,
      }
    }
    case 'other_account':
      return { text: 'Access was granted for another account. None of its data was stored here.' }
    case 'check_waits': {
      const { lastProblem = null, attempts = 0, nextTryAt = '' } = candidate ?? {}
      const problem = lastProblem && (CHECK_PROBLEMS[lastProblem] ?? 'the platform could not be reached')
      return {
        text: `The account has been waiting to be checked since ${ago}${problem ? `: ${problem}` : ''}. ${
          attempts === 0 ? WORKER : `Tried ${times(attempts)}; next try ${span(nextTryAt, now)}.`
        }`,
      }
    }
    case 'disconnect_waits':
      return {
        brief: `requested ${ago}, not started`,
        text: `The disconnect was requested ${ago} and has not started. ${WORKER}`,
      }
    case 'disconnect_unconfirmed': {
      const { lastProblem = null, attempts = 0, nextTryAt = '' } = disconnect ?? {}
      const problem = (lastProblem && REVOKE_PROBLEMS[lastProblem]) ?? 'no answer'
      const next = span(nextTryAt, now)
      return {
        brief: `not confirmed since ${ago}; next try ${next}`,
        text: `The platform has not confirmed the end of the link: ${problem}. Tried ${times(attempts)} since ${ago}; next try ${next}. Until then it counts as active, but nothing is read from it.`,
      }
    }
    case 'renewal_unfinished':
      return {
        text: `A worker stopped ${ago} and left a renewal of its tokens unfinished. The next worker continues it.`,
      }
    case 'sync_failed': {
      const reason = run?.errorText ?? null
      const good = lastGoodSyncAt && describeSpan(Math.min(0, Date.parse(lastGoodSyncAt) - now))
      return {
        brief: reason ?? 'see the connection for the reason',
        text: `The last sync failed.${reason ? ` ${reason}` : ''}${good ? ` The last good one was ${good}.` : ''}`,
      }
    }
    case 'sync_waits':
      return { text: `A sync was requested ${ago} and has not started. ${WORKER}` }
    case 'sync_put_off': {
      const leftMs = Date.parse(run?.leaseUntil ?? '') - now
      const goesOn = leftMs <= 0 ? 'soon' : describeSpan(leftMs)
      return {
        brief: `Resumes ${goesOn}. ${run?.errorText}`,
        text: `The sync is waiting. ${run?.errorText} It resumes ${goesOn}.`,
      }
    }
    case 'sync_orphaned':
      return { text: `The worker of the sync stopped ${ago}; another one continues from there. ${WORKER}` }
    case 'sync_stalled':
      return { text: `The sync is running without progress: its last page arrived ${ago}.` }
    case 'loss_held': {
      const counts = `${plural(openLoss?.missingLines ?? 0, 'line')} and ${plural(openLoss?.missingInvoices ?? 0, 'invoice')}`
      return {
        brief: `${counts} are missing on the platform; an admin must decide`,
        text: `${counts} are no longer on the platform. Nothing was changed; an admin must decide.`,
      }
    }
    case 'scope_missing': {
      const missing = listMissingScopes(scopes)
      const names = missing.join(', ')
      const isOne = missing.length === 1
      return {
        brief: `scope not granted: ${names}`,
        text: `${isOne ? 'A scope was' : `${formatCount(missing.length)} scopes were`} requested but not granted: ${names}. Reconnect it and allow ${isOne ? 'it' : 'them'}.`,
      }
    }
  }
}

function span(at: string, now: number): string {
  const ms = Date.parse(at) - now
  return ms <= 0 ? 'now' : describeSpan(ms)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}
