import { expect, test } from 'vitest'
import { OperationalError } from '#lib/errors.ts'
import { parseRetryAfter } from '#lib/partner/http/retry-after.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { toPauseMs, toSyncFailure } from './sync-failure.ts'
import { SYNC_TIMING } from './timing.ts'

/** The pause after an answer with this header, when the random pause would be as short as seen. */
function pauseAfter(kind: 'throttled' | 'unavailable', header: string | undefined): number {
  const retryAfterMs = parseRetryAfter(header, new Date('2026-03-04T10:00:00Z')) ?? undefined
  return toPauseMs(toSyncFailure(new PartnerError(kind, 'a page', { retryAfterMs })), 28, SYNC_TIMING)
}

test.each([
  [undefined, 1000],
  ['', 1000],
  ['-5', 1000],
  ['soon', 1000],
  ['0', 1000],
  ['Wed, 04 Mar 2026 09:00:00 GMT', 1000],
  ['0.2', 1000],
  ['1.5', 2000],
  ['7', 7000],
])('F22: an answer that asks to wait is given a second at least: Retry-After %s', (header, ms) => {
  expect(pauseAfter('throttled', header)).toBe(ms)
})

test('F22: another failure is tried again after the random pause alone', () => {
  expect(pauseAfter('unavailable', undefined)).toBe(28)
})

test('F29: a commit without an answer is the database’s trouble, and tried again', () => {
  const thrown = new OperationalError('commit-unknown', 'Connection terminated unexpectedly')
  expect(toSyncFailure(thrown).error).toMatchObject({ code: 'database-unavailable', retryable: true })
})
