import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { settings } from '#lib/env.ts'
import { processTokenResponse } from '#lib/partner/oauth/oauth-requests.ts'
import { serveHttp } from '#lib/partner/test-support/test-loopback.ts'
import { Secret } from '#lib/secret.ts'
import { listOperatorNotices } from '../events/operator-notices.ts'
import { type RefreshWorld, startRefreshWorld, TOKEN_ENDPOINT } from '../test-support/test-refresh-world.ts'
import { listSpooled } from './spool.ts'
import { recoverKeptAnswers } from './spool-replay.ts'

let world: RefreshWorld
const partner = { authUrl: '', clientSecret: new Secret('') }

beforeAll(async () => {
  world = await startRefreshWorld()
  Object.assign(partner, { authUrl: world.partner.authUrl, clientSecret: world.partner.clientSecret })
})
afterAll(() => world.close())
beforeEach(async () => {
  Object.assign(settings().partner ?? {}, partner)
  await world.renew()
  await world.database.query('truncate operator_notice')
  await world.age()
})
afterEach(async () => expect(await listSpooled()).toEqual([]))

const oauth = () => world.sandbox.state().oauth
const inject = (action: Parameters<ReturnType<typeof faults>['add']>[0]['action'], times = 1) =>
  faults().add({ ...TOKEN_ENDPOINT, times, action })
const faults = () => world.sandbox.state().faults
const withCode = (code: string) => expect.objectContaining({ code })
const countLines = () => world.database.query('select count(*)::int as lines from line')

test('F10: each refresh uses a new connection, since a kept one may be half dead', async () => {
  let answers = 0
  const platform = await serveHttp((_request, response) => {
    answers += 1
    const tokens = { access_token: `access-${answers}`, refresh_token: `refresh-${answers}`, expires_in: 3600 }
    response.writeHead(200, { 'content-type': 'application/json', connection: 'keep-alive' })
    response.end(JSON.stringify(tokens))
  })
  Object.assign(settings().partner ?? {}, { authUrl: platform.url })
  for (const generation of [2, 3, 4]) {
    await world.age()
    expect((await world.getToken()).generation).toBe(generation)
    expect([answers, platform.connections()]).toEqual([generation - 1, generation - 1])
  }
})

test('F2: a platform with a grace period makes up for a lost answer at once', async () => {
  oauth().setGrace('same-pair', 120)
  inject({ type: 'drop_after_effect' })
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
  expect(await world.readRow()).toMatchObject({ state: 'active', generation: 2, outcomes: ['in_doubt', 'renewed'] })
  expect(oauth().summary().maxSuccessesPerGeneration).toBe(1)
  // the tokens were made for the first call, so their lifetimes count from there
  const [row] = await world.database.query(
    `select abs(extract(epoch from k.obtained_at - min(a.started_at))) < 0.01 as "isFirst" from connection_credential k
     join refresh_attempt a on a.organization_id = k.organization_id and a.connection_id = k.connection_id where k.connection_id = $1 group by k.obtained_at`,
    [world.connectionId],
  )
  expect(row).toEqual({ isFirst: true })
})

test('F3: without grace a lost answer ends the connection at once, names the cause and keeps the data', async () => {
  const before = await countLines()
  inject({ type: 'drop_after_effect' })
  const begin = performance.now()
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(performance.now() - begin).toBeLessThan(60_000)
  expect(await world.readRow()).toMatchObject({
    state: 'needs_reconnect',
    state_cause: 'lost_response',
    lease_owner: null,
  })
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(world.refreshes()).toEqual({ success: 1, invalid_grant: 1 })
  expect(await countLines()).toEqual(before)
})

test('F4: a platform that revokes the family is asked at most four times', async () => {
  oauth().setGrace('revoke-family', 0)
  inject({ type: 'drop_after_effect' })
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(await world.readRow()).toMatchObject({ state: 'needs_reconnect', state_cause: 'lost_response' })
  const calls = Object.values(world.refreshes()).reduce((sum, count) => sum + count, 0)
  expect(calls).toBe(2)
})

test('F4: lost answers are replayed promptly, four calls in all, then put off in the database', async () => {
  inject({ type: 'drop_before' }, 0)
  await expect(world.getToken()).rejects.toMatchObject({ code: 'partner-bad-answer', retryAfterMs: expect.any(Number) })
  const calls = () =>
    world.sandbox
      .state()
      .calls.list()
      .filter(({ path }) => path === TOKEN_ENDPOINT.match.path).length
  const first = calls()
  expect((await world.readRow()).outcomes).toEqual(Array(4).fill('in_doubt'))
  await expect(world.getToken()).rejects.toEqual(withCode('partner-bad-answer'))
  expect(calls()).toBe(first)
  await world.passPause()
  await expect(world.getToken()).rejects.toEqual(withCode('partner-bad-answer'))
  expect(calls()).toBe(first + 1) // one call at a time from now on
  faults().clear()
  await world.passPause()
  expect((await world.getToken()).generation).toBe(2)
  expect(oauth().summary().maxSuccessesPerGeneration).toBe(1)
})

test('while the platform cannot renew a token, the current one is used as long as it lasts', async () => {
  await world.age('access_expires_at', '-100 seconds')
  inject({ type: 'status', status: 503, when: 'before' }, 0)
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
  expect((await world.getToken()).generation).toBe(1)
  expect((await world.readRow()).outcomes).toEqual(['retry_later'])
  await expect(world.getToken({ forceGeneration: 1 })).rejects.toEqual(withCode('partner-throttled'))
})

test.each([
  ['500', { type: 'status', status: 500, when: 'before' }],
  ['502', { type: 'status', status: 502, when: 'before' }],
  ['a reset', { type: 'drop_before' }],
  ['a connection that stays half open', { type: 'delay', ms: 30_000, when: 'before' }],
  ['an answer cut short', { type: 'truncate', bytes: 20 }],
] as const)('F10: %s leaves the outcome open, and the next call settles it', async (name, action) => {
  oauth().setGrace('same-pair', 120)
  inject(action)
  const deadlineMs = name.includes('half open') ? 400 : undefined
  expect((await world.getToken({ deadlineMs })).generation).toBe(2)
  expect(await world.readRow()).toMatchObject({ state: 'active', outcomes: ['in_doubt', 'renewed'] })
})

test.each([
  ['a name that does not exist', 'http://platform.invalid'],
  ['a port nobody listens on', 'http://127.0.0.1:1'],
  ['a server without TLS', ''],
])('F10: %s means nothing was sent: no doubt, a short pause, the same token later', async (_, authUrl) => {
  Object.assign(settings().partner ?? {}, { authUrl: authUrl || partner.authUrl.replace('http:', 'https:') })
  await expect(world.getToken()).rejects.toMatchObject({
    code: 'partner-unreachable',
    retryAfterMs: expect.any(Number),
  })
  expect(await world.readRow()).toMatchObject({ state: 'active', generation: 1, outcomes: ['not_sent'] })
  Object.assign(settings().partner ?? {}, partner)
  await world.passPause()
  expect((await world.getToken()).generation).toBe(2)
  expect(world.refreshes()).toEqual({ success: 1 })
})

test.each([
  ['429 with seconds', 429, () => '40'],
  ['503 with a date', 503, () => new Date(Date.now() + 40_000).toUTCString()],
  ['408 without a word', 408, () => undefined],
])('F11: all workers wait for %s, and the same token is used later', async (_, status, retryAfter) => {
  const header = retryAfter()
  inject({ type: 'status', status, when: 'before', headers: header ? { 'retry-after': header } : {} })
  const refusal = await world.getToken().catch((error: unknown) => error as { code: string; retryAfterMs: number })
  expect(refusal).toMatchObject({ code: 'partner-throttled' })
  const { retryAfterMs } = refusal as { retryAfterMs: number }
  expect(retryAfterMs).toBeGreaterThan(header ? 36_000 : 20_000)
  expect(retryAfterMs).toBeLessThanOrEqual(41_000)
  await expect(world.getToken()).rejects.toEqual(withCode('partner-throttled'))
  expect(world.refreshes()).toEqual({})
  await world.passPause()
  expect((await world.getToken()).generation).toBe(2)
  expect(world.refreshes()).toEqual({ success: 1 })
})

test('F12: a changed client secret marks no connection and is reported to the operator until it works', async () => {
  Object.assign(settings().partner ?? {}, { clientSecret: new Secret('an old one') })
  await expect(world.getToken()).rejects.toMatchObject({
    code: 'partner-client-refused',
    retryAfterMs: expect.any(Number),
  })
  await world.passPause()
  await expect(world.getToken()).rejects.toEqual(withCode('partner-client-refused'))
  expect(await world.readRow()).toMatchObject({ state: 'active', state_cause: null, generation: 1 })
  expect(await listOperatorNotices(world.organizationId)).toMatchObject([
    { kind: 'client_refused', connectionId: null, occurrences: 2 },
  ])
  Object.assign(settings().partner ?? {}, partner)
  await world.passPause()
  expect((await world.getToken()).generation).toBe(2)
  expect(await listOperatorNotices(world.organizationId)).toEqual([])
})

const RENAMED: [string, string][] = [
  ['"access_token"', '"accessToken"'],
  ['"refresh_token"', '"refreshToken"'],
]
/** The parser of a later version, which knows the new names. */
const laterReader: typeof processTokenResponse = (status, headers, body, now) => {
  const text = RENAMED.reduce((read, [old, renamed]) => read.replace(renamed, old), body.toString())
  return processTokenResponse(status, headers, text, now)
}

test('F13: tokens under other names are kept sealed, not requested again, and found by a later version', async () => {
  oauth().setGrace('revoke-family', 0) // a second call would revoke the tokens in the answer
  inject({ type: 'rewrite', replace: RENAMED })
  await expect(world.getToken()).rejects.toEqual(withCode('partner-bad-answer'))
  await expect(world.getToken()).rejects.toEqual(withCode('partner-bad-answer'))
  expect(world.refreshes()).toEqual({ success: 1 })
  expect(await world.readRow()).toMatchObject({ state: 'active', generation: 1, outcomes: ['answer_kept'] })
  expect(await listOperatorNotices(world.organizationId)).toMatchObject([
    { kind: 'answer_unreadable', connectionId: world.connectionId },
  ])
  expect(await recoverKeptAnswers()).toBe(0)
  expect(await recoverKeptAnswers(laterReader)).toBe(1)
  const { accessToken, generation } = await world.getToken()
  expect([world.isLive(accessToken), generation]).toEqual([true, 2])
  expect(await listOperatorNotices(world.organizationId)).toEqual([])
  expect(await recoverKeptAnswers(laterReader)).toBe(0)
})

test('F13: HTML with 200 is kept sealed; the cause is right, and a later parser finds no tokens in it', async () => {
  inject({ type: 'html' })
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(await world.readRow()).toMatchObject({
    state: 'needs_reconnect',
    state_cause: 'lost_response',
    outcomes: ['in_doubt', 'invalid_grant'],
  })
  const [kept] = await world.database.query<{ sealed_answer: string }>(
    'select sealed_answer from refresh_attempt where sealed_answer is not null',
  )
  expect(kept?.sealed_answer).toMatch(/^eyJ/)
  expect(await recoverKeptAnswers(laterReader)).toBe(0)
})

test('F13: an answer with text around its JSON is kept, and recovered after the connection has ended', async () => {
  inject({ type: 'rewrite', replace: [['{"access_token"', ')]}\',\n{"access_token"']] })
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  const reader: typeof processTokenResponse = (status, headers, body, now) =>
    processTokenResponse(status, headers, body.toString().replace(/^\)\]\}',\n/, ''), now)
  expect(await recoverKeptAnswers(reader)).toBe(1)
  expect(await world.readRow()).toMatchObject({ state: 'active', state_cause: null, generation: 2 })
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
})

test('F13: without expires_in a token counts as an hour; without a refresh token the old one stays, with a notice', async () => {
  inject({
    type: 'rewrite',
    replace: [
      ['"expires_in"', '"lives_for"'],
      ['"refresh_token"', '"other"'],
    ],
  })
  const { expiresAt } = await world.getToken()
  expect(Math.abs(expiresAt.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000)
  expect(await listOperatorNotices(world.organizationId)).toMatchObject([
    { kind: 'no_refresh_token', connectionId: world.connectionId },
  ])
})

test('F8: a refusal counts only after a second look: if another worker has renewed, its token is used', async () => {
  let other = ''
  const failpoint = async (place: string) => {
    if (place !== 'after-intent') return
    await world.passLease()
    other = (await world.getToken()).accessToken
  }
  expect(await world.getToken({ failpoint })).toMatchObject({ accessToken: other, generation: 2 })
  expect(await world.readRow()).toMatchObject({ state: 'active', outcomes: ['invalid_grant', 'renewed'] })
})

test('F17: a connection the customer disabled ends once, and the platform is not asked again', async () => {
  oauth().disable('nordlicht')
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  await expect(world.getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(await world.readRow()).toMatchObject({ state: 'needs_reconnect', state_cause: 'revoked_or_reused' })
  expect(world.refreshes()).toEqual({ invalid_grant: 1 })
})
