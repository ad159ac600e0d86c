import { toKnownError } from '#lib/db/database-trouble.ts'
import { type ErrorCode, OperationalError } from '#lib/errors.ts'
import { PartnerError, type PartnerErrorKind } from '#lib/partner/partner-error.ts'
import { CircuitOpenError } from '../platform/partner-host.ts'
import type { SyncTiming } from './timing.ts'

/** What stopped a sync: the catalog's error, and how long the partner asked us to wait. */
export type SyncFailure = { error: OperationalError; retryAfterMs: number | null }

const CODE_OF: Record<PartnerErrorKind, ErrorCode> = {
  timeout: 'partner-unreachable',
  refused: 'partner-unreachable',
  reset: 'partner-unreachable',
  dns: 'partner-unreachable',
  tls: 'partner-unreachable',
  unavailable: 'partner-unreachable',
  throttled: 'partner-throttled',
  redirect: 'partner-bad-answer',
  too_large: 'partner-bad-answer',
  bad_encoding: 'partner-bad-answer',
  bad_body: 'partner-bad-answer',
  rejected: 'partner-bad-answer',
  // 401 although the token was just renewed: a retry would only renew it again
  unauthorized: 'partner-token-refused',
  forbidden: 'partner-forbidden',
  foreign_origin: 'internal',
}

/** Any thrown value as a sync failure; messages and causes are for logs, never for people. */
export function toSyncFailure(thrown: unknown): SyncFailure {
  if (thrown instanceof PartnerError) {
    const error = new OperationalError(CODE_OF[thrown.kind], thrown.message, { cause: thrown })
    return { error, retryAfterMs: thrown.retryAfterMs ?? null }
  }
  if (thrown instanceof CircuitOpenError) return { error: thrown, retryAfterMs: thrown.waitMs }
  // the next try of the run sees by itself whether its page is there
  const isUnknownCommit = thrown instanceof OperationalError && thrown.code === 'commit-unknown'
  const error = isUnknownCommit
    ? new OperationalError('database-unavailable', thrown.message, { cause: thrown })
    : toKnownError(thrown)
  return { error, retryAfterMs: error.retryAfterMs ?? null }
}

/**
 * How long to wait before the next try: as long as the partner asked for, else `backoff`. After an
 * answer that asks to wait never less than `throttledMs`.
 */
export function toPauseMs(
  { error, retryAfterMs }: SyncFailure,
  backoff: number,
  { throttledMs }: Pick<SyncTiming, 'throttledMs'>,
): number {
  return Math.max(retryAfterMs ?? backoff, error.code === 'partner-throttled' ? throttledMs : 0)
}

/** Whether asking for the same page again within this run may succeed. */
export function isWorthRetrying(thrown: unknown): boolean {
  if (thrown instanceof PartnerError) return thrown.retryable
  return toSyncFailure(thrown).error.retryable && !isFenced(thrown)
}

export function isFenced(thrown: unknown): boolean {
  return thrown instanceof OperationalError && thrown.code === 'sync-fenced'
}
