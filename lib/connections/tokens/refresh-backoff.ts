import { type ErrorCode, OperationalError } from '#lib/errors.ts'

/** Ends without new tokens that leave the connection alive (refresh_attempt.outcome). */
export type PostponedOutcome = 'retry_later' | 'not_sent' | 'no_room' | 'invalid_client' | 'in_doubt' | 'answer_kept'

/**
 * First and longest pause in seconds; each failure in a row doubles the pause. `code`: what callers
 * are told meanwhile.
 */
const PAUSES: Record<PostponedOutcome, { first: number; longest: number; code: ErrorCode }> = {
  retry_later: { first: 30, longest: 900, code: 'partner-throttled' },
  not_sent: { first: 2, longest: 300, code: 'partner-unreachable' },
  // no room for the answer on this worker's disk; another worker may have some
  no_room: { first: 5, longest: 60, code: 'spool-unavailable' },
  // our own configuration: once somebody corrects it, the next call should follow soon
  invalid_client: { first: 60, longest: 600, code: 'partner-client-refused' },
  in_doubt: { first: 60, longest: 3600, code: 'partner-bad-answer' },
  // sending the token again could revoke those sealed in the answer: read it first
  answer_kept: { first: 86_400, longest: 86_400, code: 'partner-bad-answer' },
}

/**
 * Seconds until the token endpoint may be called again for the same generation, after `failures`
 * failures in a row, this one included. The platform's `Retry-After` counts, but never less than a
 * second. Otherwise the pause doubles up to a ceiling, and random spread of a fifth keeps
 * connections from coming back all at once.
 */
export function toPauseSeconds(
  outcome: PostponedOutcome,
  failures: number,
  retryAfterSeconds: number | null,
  random: () => number = Math.random,
): number {
  if (retryAfterSeconds !== null) return Math.max(1, retryAfterSeconds)
  const { first, longest } = PAUSES[outcome]
  const pause = Math.min(longest, first * 2 ** Math.min(failures - 1, 20))
  return pause * (1 - random() / 5)
}

/** How often callers ask again while an answer waits for a version that can read it. */
const LONGEST_WAIT_FOR_READER_MS = 600_000

/** What a caller is told who has to wait, after an attempt with this outcome. */
export function toPostponedError(outcome: string | null, message: string, waitMs?: number): OperationalError {
  const { code } = PAUSES[outcome as PostponedOutcome] ?? PAUSES.in_doubt
  const mostMs = outcome === 'answer_kept' ? LONGEST_WAIT_FOR_READER_MS : Number.POSITIVE_INFINITY
  return new OperationalError(code, message, {
    retryAfterMs: waitMs === undefined ? undefined : Math.min(waitMs, mostMs),
  })
}
