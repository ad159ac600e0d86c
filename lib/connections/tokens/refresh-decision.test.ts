import { expect, test } from 'vitest'
import { type Decision, decide, type RefreshEnd } from './refresh-decision.ts'

const startedAt = new Date('2026-11-20T08:00:00Z')
const answer = (status: number, body = '') => ({ answer: { status, body: Buffer.from(body), startedAt } })
const TOKENS = { kind: 'tokens', accessToken: 'a', refreshToken: 'r', expiresInSeconds: 3600, scope: null } as const
const doubt = { kind: 'in_doubt', reason: 'why' } as const
const withoutMore = {
  kind: 'postpone',
  retryAfterSeconds: null,
  isImmediate: false,
  keepsAnswer: false,
  notice: null,
} as const
const postponed = { ...withoutMore, reason: 'why' }

/** Each end of an attempt, and all that follows from it. */
const TABLE: [string, RefreshEnd, Decision][] = [
  [
    'new tokens are the next generation',
    { ...TOKENS, ...answer(200) },
    { kind: 'renew', tokens: TOKENS, startedAt, notice: null },
  ],
  [
    'an access token alone is, too, and the operator hears of it',
    { ...TOKENS, refreshToken: null, ...answer(200) },
    {
      kind: 'renew',
      tokens: { ...TOKENS, refreshToken: null },
      startedAt,
      notice: {
        kind: 'no_refresh_token',
        detail: 'The platform renewed an access token without a new refresh token; the old one is kept.',
      },
    },
  ],
  [
    'a refused token ends the connection',
    { kind: 'invalid_grant', ...answer(400) },
    { kind: 'end', outcome: 'invalid_grant', reason: 'status 400' },
  ],
  [
    'so does another refusal, in the platform’s word',
    { kind: 'rejected', error: 'unsupported_grant_type', ...answer(400) },
    { kind: 'end', outcome: 'rejected', reason: 'unsupported_grant_type' },
  ],
  [
    'a refused client ends none, and the operator hears of it',
    { kind: 'invalid_client', ...answer(401) },
    {
      ...withoutMore,
      outcome: 'invalid_client',
      reason: 'The platform refuses PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET.',
      notice: { kind: 'client_refused', detail: 'The platform refuses PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET.' },
    },
  ],
  [
    'an answer that asks to wait is obeyed',
    { kind: 'retry_later', retryAfterSeconds: 40, ...answer(429) },
    {
      ...withoutMore,
      outcome: 'retry_later',
      reason: 'status 429',
      retryAfterSeconds: 40,
    },
  ],
  [
    'one that does not say how long, by our own pause',
    { kind: 'retry_later', retryAfterSeconds: null, ...answer(503) },
    { ...withoutMore, outcome: 'retry_later', reason: 'status 503' },
  ],
  [
    'a failure of the platform leaves the token in doubt',
    { ...doubt, ...answer(500, '{"a":1}') },
    { kind: 'doubt', reason: 'why', keepsAnswer: false },
  ],
  [
    'so does an answer with 2xx that was cut short, and it is kept',
    { ...doubt, ...answer(200, '{"access_tok') },
    { kind: 'doubt', reason: 'why', keepsAnswer: true },
  ],
  ['HTML with 200', { ...doubt, ...answer(200, '<html>') }, { kind: 'doubt', reason: 'why', keepsAnswer: true }],
  ['an empty object', { ...doubt, ...answer(200, '{}') }, { kind: 'doubt', reason: 'why', keepsAnswer: true }],
  ['a list', { ...doubt, ...answer(200, '[1]') }, { kind: 'doubt', reason: 'why', keepsAnswer: true }],
  [
    'an error with 200',
    { ...doubt, ...answer(200, '{"error":"busy"}') },
    { kind: 'doubt', reason: 'why', keepsAnswer: true },
  ],
  [
    'a whole object with 2xx in another form may hold tokens: it is kept, and the old token is not sent',
    { ...doubt, ...answer(200, '\uFEFF{"accessToken":"a"}') },
    {
      ...postponed,
      outcome: 'answer_kept',
      keepsAnswer: true,
      notice: {
        kind: 'answer_unreadable',
        detail: 'An answer with 2xx could not be read (why); it is kept, sealed, for a version that can.',
      },
    },
  ],
  [
    'a token of unknown fate waits, once it was sent as often as it may be',
    { kind: 'given_up', reason: 'why' },
    { ...postponed, outcome: 'in_doubt' },
  ],
  [
    'a token that was not sent waits a little',
    { kind: 'not_sent', reason: 'why' },
    { ...postponed, outcome: 'not_sent' },
  ],
  [
    'one that we chose not to send does not wait',
    { kind: 'withdrawn', reason: 'why' },
    { ...postponed, outcome: 'not_sent', isImmediate: true },
  ],
  ['one without room for its answer says so', { kind: 'no_room', reason: 'why' }, { ...postponed, outcome: 'no_room' }],
  [
    'stored tokens that cannot be opened wait, and the operator hears of it',
    { kind: 'token_unreadable' },
    {
      ...withoutMore,
      outcome: 'not_sent',
      reason: 'the stored token cannot be opened',
      notice: { kind: 'token_unreadable', detail: 'The stored tokens cannot be opened with the keys at hand.' },
    },
  ],
]

test.each(TABLE)('how an attempt ends decides what follows: %s', (_, end, decision) => {
  expect(decide(end)).toEqual(decision)
})
