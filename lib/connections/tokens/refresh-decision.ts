/**
 * What becomes of tokens, attempt and connection when an attempt to renew tokens has ended: the
 * table of docs/decisions/006-token-refresh.md. Pure; `recordDecision` writes what is decided here.
 */

import type { TokenOutcome } from '#lib/partner/oauth/oauth-requests.ts'
import type { OperatorNoticeKind } from '../events/operator-notices.ts'
import type { PostponedOutcome } from './refresh-backoff.ts'

/** How an attempt ended: with an answer, as it was read, or without one. */
export type RefreshEnd =
  | (TokenOutcome & { answer: { status: number; body: Buffer; startedAt: Date } })
  /** Nothing left this machine. */
  | { kind: 'not_sent'; reason: string }
  /** Nothing was sent, by our own choice: the next call need not wait. */
  | { kind: 'withdrawn'; reason: string }
  /** Nothing was sent: there was no room for the answer. */
  | { kind: 'no_room'; reason: string }
  /** Sent as often as it may be at once, and never settled. */
  | { kind: 'given_up'; reason: string }
  | { kind: 'token_unreadable' }

type Notice = { kind: OperatorNoticeKind; detail: string }

/** The connection stays alive, and the lease ends; the next call waits unless `isImmediate`. */
export type Postponement = {
  kind: 'postpone'
  outcome: PostponedOutcome
  reason: string
  /** The platform's own word on when to ask again. */
  retryAfterSeconds: number | null
  isImmediate: boolean
  keepsAnswer: boolean
  notice: Notice | null
}

export type Decision =
  /** The tokens become the next generation; their lifetimes count from `startedAt`. */
  | { kind: 'renew'; tokens: TokenOutcome & { kind: 'tokens' }; startedAt: Date; notice: Notice | null }
  /** The connection has to be connected again, unless it has newer tokens. */
  | { kind: 'end'; outcome: 'invalid_grant' | 'rejected'; reason: string }
  /** The lease stays: its holder may send the token again. */
  | { kind: 'doubt'; reason: string; keepsAnswer: boolean }
  | Postponement

export function decide(end: RefreshEnd): Decision {
  switch (end.kind) {
    case 'tokens': {
      const { answer, ...tokens } = end
      return { kind: 'renew', tokens, startedAt: answer.startedAt, notice: toAnomaly(tokens.refreshToken) }
    }
    case 'invalid_grant':
      return { kind: 'end', outcome: 'invalid_grant', reason: `status ${end.answer.status}` }
    case 'rejected':
      return { kind: 'end', outcome: 'rejected', reason: end.error }
    case 'in_doubt':
      return decideDoubt(end.reason, end.answer)
    case 'retry_later':
      return postpone('retry_later', `status ${end.answer.status}`, { retryAfterSeconds: end.retryAfterSeconds })
    case 'invalid_client': {
      // our own client id or secret: not the connection's fault
      const detail = 'The platform refuses PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET.'
      return postpone('invalid_client', detail, { notice: { kind: 'client_refused', detail } })
    }
    case 'not_sent':
      return postpone('not_sent', end.reason)
    case 'withdrawn':
      return postpone('not_sent', end.reason, { isImmediate: true })
    case 'no_room':
      return postpone('no_room', end.reason)
    case 'given_up':
      return postpone('in_doubt', end.reason)
    case 'token_unreadable': {
      const detail = 'The stored tokens cannot be opened with the keys at hand.'
      const notice = { kind: 'token_unreadable', detail } as const
      return postpone('not_sent', 'the stored token cannot be opened', { notice })
    }
  }
}

/** The platform may have acted. An answer with 2xx is kept: it may hold tokens. */
function decideDoubt(reason: string, { status, body }: { status: number; body: Buffer }): Decision {
  const isSuccess = status >= 200 && status <= 299
  if (!isSuccess || !isWholeObject(body)) return { kind: 'doubt', reason, keepsAnswer: isSuccess }
  // the platform has acted, and may have sent tokens: sending the old one could revoke them
  const detail = `An answer with 2xx could not be read (${reason}); it is kept, sealed, for a version that can.`
  return postpone('answer_kept', reason, { keepsAnswer: true, notice: { kind: 'answer_unreadable', detail } })
}

/** True for a complete JSON object without `error`: an answer in a form we do not know. */
function isWholeObject(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.keys(value).length > 0 && !('error' in value)
  } catch {
    return false // HTML, or cut short
  }
}

function toAnomaly(refreshToken: string | null): Notice | null {
  const detail = 'The platform renewed an access token without a new refresh token; the old one is kept.'
  return refreshToken === null ? { kind: 'no_refresh_token', detail } : null
}

function postpone(outcome: PostponedOutcome, reason: string, more: Partial<Postponement> = {}): Postponement {
  const usual = { retryAfterSeconds: null, isImmediate: false, keepsAnswer: false, notice: null }
  return { kind: 'postpone', outcome, reason, ...usual, ...more }
}
