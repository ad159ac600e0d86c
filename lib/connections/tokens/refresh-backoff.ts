/**
 * How an attempt can end without new tokens while the connection stays alive (stored in
 * refresh_attempt.outcome).
 */
export type PostponedOutcome = 'retry_later' | 'not_sent' | 'no_room' | 'invalid_client' | 'in_doubt' | 'answer_kept'

/** First pause and longest pause in seconds; each failure in a row doubles it. */
const PAUSES: Record<PostponedOutcome, { first: number; longest: number }> = {
  retry_later: { first: 30, longest: 900 },
  not_sent: { first: 2, longest: 300 },
  // no place for the answer on this worker's disk; another may have one
  no_room: { first: 5, longest: 60 },
  // our own configuration: somebody has to change it, and the first call after that should not be
  // far away
  invalid_client: { first: 60, longest: 600 },
  in_doubt: { first: 60, longest: 3600 },
  // sending the token again could revoke the tokens that lie sealed in the answer: a new version is
  // to read it first
  answer_kept: { first: 86_400, longest: 86_400 },
}

/**
 * Seconds until the token endpoint may be called again for the same generation, after `failures`
 * failures in a row, this one included. What the platform asks for (`Retry-After`) counts, but
 * never less than a second; otherwise the pause doubles up to a ceiling and is spread by a fifth,
 * so that connections do not come back all at once.
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
