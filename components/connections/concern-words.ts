/** Words for the concerns of lib/connections/concerns.ts. */

import { describeSpan } from '#components/text/describe-span.ts'
import { plural } from '#components/text/plural.ts'
import { type Concern, type ConcernCode, listMissingScopes } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { CAUSES } from './connection-state.ts'

/**
 * `title` follows the account's name and a colon; `brief` fits a table cell or a second line;
 * `text` is the full sentence.
 */
type ConcernWords = { title: string; brief: string; text: string }

const WORKER = 'An operator should see whether a worker is running.'

/** Follow the account's name and a colon. */
export const TITLES: Record<ConcernCode, string> = {
  link_ended: 'needs reconnect',
  link_ran_out: 'its link ran out',
  link_ends: 'its link ends soon',
  other_account: 'access was given for another account',
  check_waits: 'its account is not checked yet',
  disconnect_waits: 'disconnecting has not begun',
  disconnect_unconfirmed: 'the end of its link is not confirmed',
  renewal_unfinished: 'a renewal of its tokens was left unfinished',
  sync_failed: 'last sync failed',
  sync_waits: 'its sync has not begun',
  sync_put_off: 'its sync was put off',
  sync_orphaned: 'the worker of its sync stopped',
  sync_stalled: 'its sync makes no progress',
  loss_held: 'a loss is held',
  scope_missing: 'a scope was not granted',
}

/** Why the platform did not confirm a disconnect, in our words. */
export const REVOKE_PROBLEMS: Record<string, string> = {
  unreachable: 'the platform could not be reached',
  timeout: 'the platform did not answer in time',
  throttled: 'the platform asks to wait',
  client_refused: 'the platform refuses this program’s own client id or secret; an operator has to correct it',
  refused: 'the platform refuses the request',
  unavailable: 'the platform reports a failure of its own',
  redirect: 'the address of the platform answers with a redirect; an operator has to correct it',
}

/** Why the accounts could not be compared. */
export const CHECK_PROBLEMS: Record<string, string> = {
  no_profiles: 'the account lists no profiles',
  throttled: 'the platform asks to wait',
  forbidden: 'the scope to read profiles was not granted',
  unauthorized: 'access was withdrawn again',
  expired: 'nobody checked it within the hour that the consent could be used',
  unreadable: 'the stored consent cannot be opened with the keys at hand',
}

export function describeConcern(concern: Concern, connection: ConnectionSummary, now: number): ConcernWords {
  const { text, brief = text } = toWords(concern, connection, now)
  return { title: TITLES[concern.code], text, brief }
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
      return { text: 'The link ran out, having not been renewed for 30 days. Reconnect the account.' }
    case 'link_ends': {
      const ends = describeSpan(Date.parse(refreshExpiresAt ?? '') - now)
      return {
        brief: `link ends ${ends}: could not be renewed`,
        text: `The link ends ${ends} because it could not be renewed. Reconnect it now to avoid a gap.`,
      }
    }
    case 'other_account':
      return { text: 'Access was given for another account. Nothing of it was stored here.' }
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
        brief: `asked for ${ago}, not begun`,
        text: `Disconnecting was asked for ${ago} and has not begun. ${WORKER}`,
      }
    case 'disconnect_unconfirmed': {
      const { lastProblem = null, attempts = 0, nextTryAt = '' } = disconnect ?? {}
      const problem = (lastProblem && REVOKE_PROBLEMS[lastProblem]) ?? 'no answer'
      const next = span(nextTryAt, now)
      return {
        brief: `not confirmed since ${ago}; next try ${next}`,
        text: `The platform has not confirmed the end of the link: ${problem}. Tried ${times(attempts)} since ${ago}; next try ${next}. It counts as alive until then, and nothing is read from it.`,
      }
    }
    case 'renewal_unfinished':
      return {
        text: `A renewal of its tokens was left unfinished ${ago}, by a worker that stopped. The next one takes it up.`,
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
      return { text: `A sync was asked for ${ago} and has not begun. ${WORKER}` }
    case 'sync_put_off': {
      const goesOn = describeSpan(Date.parse(run?.leaseUntil ?? '') - now)
      return {
        brief: `Goes on ${goesOn}. ${run?.errorText}`,
        text: `The sync was put off. ${run?.errorText} It goes on ${goesOn}.`,
      }
    }
    case 'sync_orphaned':
      return { text: `The worker of the sync stopped ${ago}; another one takes it up where it was. ${WORKER}` }
    case 'sync_stalled':
      return { text: `The sync is running without progress: its last page came ${ago}.` }
    case 'loss_held': {
      const counts = `${plural(openLoss?.missingLines ?? 0, 'line')} and ${plural(openLoss?.missingInvoices ?? 0, 'invoice')}`
      return {
        brief: `${counts} are gone from the platform; an admin decides`,
        text: `${counts} are not on the platform any more. Nothing was changed; an admin decides.`,
      }
    }
    case 'scope_missing': {
      const missing = listMissingScopes(scopes)
      const names = missing.join(', ')
      const isOne = missing.length === 1
      return {
        brief: `scope not granted: ${names}`,
        text: `${isOne ? 'A scope was' : `${formatCount(missing.length)} scopes were`} asked for and not granted: ${names}. Reconnect it and allow ${isOne ? 'it' : 'them'}.`,
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
