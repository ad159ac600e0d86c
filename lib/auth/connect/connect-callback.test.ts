import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { APP_URL, type Browser, CALLBACK, leadsTo, startWorld, type World } from '../test-support/test-world.ts'

let world: World
let admin: Browser
/** The cookie of the admin's session, and its row's key. */
let session: string
let sessionIdHash: string

beforeAll(async () => {
  world = await startWorld()
  await world.addUser('admin@example.com', 'admin')
  await world.addUser('other@example.com', 'admin')
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const browser = world.browser()
  await browser.signIn('admin@example.com')
  session = browser.cookies.get('tieout.session')?.value ?? ''
  const [row] = await world.database.query<{ id_hash: string }>('select id_hash from user_session')
  sessionIdHash = row?.id_hash ?? ''
})
afterAll(() => world.close())

beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from connection')
  await world.database.query('delete from connect_intent')
  // signing in is slow on purpose: one session serves all tests, whatever the last one did to it
  await world.database.query('update user_session set ended_at = null where id_hash = $1', [sessionIdHash])
  admin = world.browser()
  admin.cookies.set('tieout.session', { value: session, path: '/' })
})

/** Clicks "Connect account" and returns the address of the platform's consent page. */
async function start(browser: Browser): Promise<URL> {
  const response = await browser.post('/api/connections/connect')
  expect(response.status).toBe(200)
  return new URL(leadsTo(response))
}

/** Answers the consent page and returns the path and query that the platform redirects to. */
async function answer(consent: URL, mode: 'allow' | 'decline', declineWithState = true): Promise<string> {
  world.sandbox.state().authorize.behavior = { mode, accountId: null, declineWithState }
  const response = await fetch(consent, { redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe(APP_URL + CALLBACK)
  return back.pathname + back.search
}

async function startAndAllow(browser: Browser): Promise<string> {
  return answer(await start(browser), 'allow')
}

const countTokenCalls = () =>
  Object.values(world.sandbox.state().oauth.counters.tokenCalls)
    .flatMap((outcomes) => Object.values(outcomes))
    .reduce((sum, calls) => sum + calls, 0)

const countRows = async () =>
  (
    await world.database.query<{ rows: number }>(
      `select (select count(*) from connection) + (select count(*) from connection_credential)
              + (select count(*) from sync_run) as rows`,
    )
  )[0]?.rows

/** Sends a browser to the callback and checks what holds for every refusal. */
async function expectRefused(browser: Browser, path: string, outcome: string, headers = {}): Promise<Response> {
  const sessionBefore = browser.cookies.get('tieout.session')
  const response = await browser.get(path, headers)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`/connections?connect=${outcome}`)
  expect(response.headers.getSetCookie()).toEqual([])
  expect(browser.cookies.get('tieout.session')).toEqual(sessionBefore)
  expect(countTokenCalls()).toBe(0)
  expect(await countRows()).toBe('0')
  return response
}

const change = (path: string, edit: (parameters: URLSearchParams) => void) => {
  const url = new URL(path, APP_URL)
  edit(url.searchParams)
  return url.pathname + url.search
}

test('connects in one click: one token call, sealed tokens, a queued sync, the same session', async () => {
  const cookie = admin.cookies.get('tieout.session')
  const consent = await start(admin)
  expect(Object.fromEntries(consent.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: `${APP_URL}${CALLBACK}`,
    scope: 'expenses:read',
    response_type: 'code',
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
  const response = await admin.get(await answer(consent, 'allow'))
  const [row] = await world.database.query<Record<string, unknown>>(
    `select c.id, c.name, c.state, c.scopes_granted, k.generation, s.trigger, s.status, u.email, i.outcome,
            k.access_expires_at - k.obtained_at as access, k.refresh_expires_at - k.obtained_at as refresh,
            k.obtained_at <= clock_timestamp() as "isPast"
     from connection c join connection_credential k using (organization_id) join sync_run s using (organization_id)
     join app_user u on u.id = c.created_by join connect_intent i on i.user_id = c.created_by
     where k.connection_id = c.id and s.connection_id = c.id`,
  )
  expect(row).toMatchObject({ state: 'active', name: null, generation: 1, trigger: 'connect', status: 'queued' })
  expect(row).toMatchObject({ email: 'admin@example.com', scopes_granted: 'expenses:read', outcome: 'connected' })
  expect(row).toMatchObject({ refresh: { days: 30 }, isPast: true })
  expect(response.headers.get('location')).toBe(`/connections?connect=connected&connection=${row?.id}`)
  expect(world.sandbox.state().oauth.counters.tokenCalls).toEqual({ authorization_code: { success: 1 } })
  expect(admin.cookies.get('tieout.session')).toEqual(cookie)
  for (const name of ['tieout.connect.state', 'tieout.connect.intent']) expect(admin.cookies.has(name)).toBe(false)
})

test('sends client id and secret in the body of the token request only, and no PKCE', async () => {
  await admin.get(await startAndAllow(admin))
  const call = world.sandbox
    .state()
    .calls.list()
    .find(({ method, path }) => method === 'POST' && path === '/accounts/oauth2/token/')
  expect(call).toMatchObject({ query: '', status: 200 })
  expect(call?.headerNames).not.toContain('authorization')
})

test('opens what it sealed only with the private key', async () => {
  await admin.get(await startAndAllow(admin))
  const [row] = await world.database.query<{ connection_id: string; sealed_tokens: string }>(
    'select * from connection_credential',
  )
  const { openTokens } = await import('#lib/connections/tokens/vault.ts')
  const { requireSetting } = await import('#lib/env.ts')
  const expected = { connectionId: row?.connection_id ?? '', generation: 1 }
  const tokens = await openTokens(row?.sealed_tokens ?? '', expected, requireSetting('tokenPrivateKeys').reveal())
  const [live] = world.sandbox.state().oauth.liveTokens()
  expect([[tokens.accessToken], [tokens.refreshToken]]).toEqual([live?.accessTokens, live?.refreshTokens])
})

test.each([true, false])('a declined consent changes nothing (with state: %s)', async (withState) => {
  const back = await answer(await start(admin), 'decline', withState)
  await expectRefused(admin, back, 'declined')
  const [intent] = await world.database.query('select outcome, spent_at is not null as spent from connect_intent')
  expect(intent).toEqual({ outcome: 'declined', spent: true })
})

test('A4: an error beside a code, a huge error and HTML in an error all end with fixed words', async () => {
  const allowed = await startAndAllow(admin)
  const withError = change(allowed, (parameters) => parameters.set('error', 'access_denied'))
  await expectRefused(admin, withError, 'declined')
  await expectRefused(admin, allowed, 'declined')
  const html = `<script>alert(1)</script>${'x'.repeat(5000)}`
  await startAndAllow(admin)
  const response = await expectRefused(admin, `${CALLBACK}?error=${encodeURIComponent(html)}`, 'refused')
  expect(await response.text()).toBe('')
})

test('an error with the wrong state is not this browser’s, and leaves its intent alive', async () => {
  const allowed = await startAndAllow(admin)
  await expectRefused(admin, `${CALLBACK}?error=access_denied&state=wrong`, 'state')
  expect((await admin.get(allowed)).headers.get('location')).toContain('connect=connected')
})

test.each([
  ['wrong', (parameters: URLSearchParams) => parameters.set('state', 'a'.repeat(43))],
  ['missing', (parameters: URLSearchParams) => parameters.delete('state')],
  ['empty', (parameters: URLSearchParams) => parameters.set('state', '')],
  ['doubled', (parameters: URLSearchParams) => parameters.append('state', parameters.get('state') ?? '')],
  ['doubled with another', (parameters: URLSearchParams) => parameters.append('state', 'other')],
  ['right, beside a doubled code', (parameters: URLSearchParams) => parameters.append('code', 'other')],
  ['right, without a code', (parameters: URLSearchParams) => parameters.delete('code')],
])('A3: a state that is %s is refused, and the right one still works', async (_, edit) => {
  const allowed = await startAndAllow(admin)
  await expectRefused(admin, change(allowed, edit), 'state')
  expect((await admin.get(allowed)).headers.get('location')).toContain('connect=connected')
})

test.each([
  ['missing', () => undefined],
  ['damaged', (value: string) => `${value.slice(0, -3)}xyz`],
  ['of another click', (_: string, other: string) => other],
])('A3: the right state with a state cookie that is %s is refused without a token call', async (_, change) => {
  await start(admin)
  const other = admin.cookies.get('tieout.connect.state')?.value ?? ''
  const allowed = await startAndAllow(admin)
  const value = change(admin.cookies.get('tieout.connect.state')?.value ?? '', other)
  if (value === undefined) admin.cookies.delete('tieout.connect.state')
  else admin.cookies.set('tieout.connect.state', { value, path: CALLBACK })
  expect((await admin.get(allowed)).headers.get('location')).toBe('/connections?connect=failed')
  expect([countTokenCalls(), await countRows()]).toEqual([0, '0'])
  expect((await admin.get(allowed)).headers.get('location')).toBe('/connections?connect=failed')
  expect(countTokenCalls()).toBe(0)
})

test('A3: an answer counts once, even when it arrives several times at once', async () => {
  const allowed = await startAndAllow(admin)
  const cookies = new Map(admin.cookies)
  const answers = await Promise.all([admin.get(allowed), admin.get(allowed), admin.get(allowed)])
  const outcomes = answers.map((each) => each.headers.get('location')?.split(/[=&]/)[1]).sort()
  // whoever comes while the first is under way cannot know yet how it ends
  expect(outcomes[0]).toBe('connected')
  expect(['connected', 'replayed']).toEqual(expect.arrayContaining(outcomes))
  expect(countTokenCalls()).toBe(1)
  for (const [name, cookie] of cookies) admin.cookies.set(name, cookie)
  expect((await admin.get(allowed)).headers.get('location')).toContain('connect=connected')
  expect(countTokenCalls()).toBe(1)
  expect(await countRows()).toBe('3')
})

test('A3: an answer that the browser fetches once more says how it ended first, and nothing happens again', async () => {
  const allowed = await startAndAllow(admin)
  const first = (await admin.get(allowed)).headers.get('location')
  expect(first).toMatch(/^\/connections\?connect=connected&connection=[\w-]{36}$/)
  expect((await admin.get(allowed)).headers.get('location')).toBe(first)
  // also while a newer click waits for its own answer
  const newer = await startAndAllow(admin)
  const again = await admin.get(allowed)
  expect([again.headers.get('location'), again.headers.getSetCookie()]).toEqual([first, []])
  expect([countTokenCalls(), await countRows()]).toEqual([1, '3'])
  expect((await admin.get(newer)).headers.get('location')).toContain('connect=connected')
  // nobody else learns it
  const other = world.browser()
  await other.signIn('other@example.com')
  expect((await other.get(allowed)).headers.get('location')).toBe('/connections?connect=not_started')
})

test('A3: the answer of a consent to reconnect leads to its connection each time', async () => {
  const [, id] =
    /connection=(.+)$/.exec((await admin.get(await startAndAllow(admin))).headers.get('location') ?? '') ?? []
  const response = await admin.post('/api/connections/connect', { connection: id ?? '' })
  const back = await answer(new URL(leadsTo(response)), 'allow')
  for (let times = 0; times < 2; times += 1)
    expect((await admin.get(back)).headers.get('location')).toBe(`/connections/${id}?connect=reconnecting`)
  expect(countTokenCalls()).toBe(2)
})

test('A3: an answer after ten minutes is refused', async () => {
  const allowed = await startAndAllow(admin)
  await world.database.query(`update connect_intent set expires_at = now() - interval '1 second'`)
  await expectRefused(admin, allowed, 'expired')
})

test('A3: the state of another organization is refused', async () => {
  const stranger = world.browser()
  await stranger.signIn('stranger@example.com')
  const theirs = await startAndAllow(stranger)
  await start(admin)
  await expectRefused(admin, theirs, 'state')
  for (const name of ['tieout.connect.intent', 'tieout.connect.state'])
    admin.cookies.set(name, stranger.cookies.get(name) ?? { value: '', path: CALLBACK })
  await expectRefused(admin, theirs, 'other_user')
})

test('A1: an attacker’s callback link, opened by a signed-in victim, is refused', async () => {
  const attacker = world.browser()
  await attacker.signIn('other@example.com')
  const link = await startAndAllow(attacker)
  await expectRefused(admin, link, 'not_started')
  await start(admin)
  await expectRefused(admin, link, 'state')
})

test('A2: an attacker’s authorize link, followed by a signed-in victim, is refused', async () => {
  const attacker = world.browser()
  await attacker.signIn('other@example.com')
  const consent = await start(attacker)
  await expectRefused(admin, await answer(consent, 'allow'), 'not_started')
})

test('a callback is refused once someone else has signed in to the browser', async () => {
  const allowed = await startAndAllow(admin)
  await admin.signIn('other@example.com')
  await expectRefused(admin, allowed, 'other_user')
})

test('a callback after signing in anew is refused: the intent belongs to the old session', async () => {
  const allowed = await startAndAllow(admin)
  await admin.signIn('admin@example.com')
  await expectRefused(admin, allowed, 'other_user')
})

test('a callback without a session, or with an ended one, is refused', async () => {
  const allowed = await startAndAllow(admin)
  await world.database.query('update user_session set ended_at = now()')
  await expectRefused(admin, allowed, 'not_started')
  admin.cookies.delete('tieout.session')
  await expectRefused(admin, allowed, 'not_started')
})

test('a callback without the intent’s cookie, or with an invented one, is refused', async () => {
  const allowed = await startAndAllow(admin)
  admin.cookies.set('tieout.connect.intent', { value: 'invented', path: CALLBACK })
  await expectRefused(admin, allowed, 'not_started')
  admin.cookies.delete('tieout.connect.intent')
  await expectRefused(admin, allowed, 'not_started')
})

test('a callback of a user who is no longer an admin is refused', async () => {
  const allowed = await startAndAllow(admin)
  await world.database.query(`update app_user set role = 'finance' where email = 'admin@example.com'`)
  await expectRefused(admin, allowed, 'not_admin')
  await world.database.query(`update app_user set role = 'admin' where email = 'admin@example.com'`)
})

test('HEAD does not use up an answer', async () => {
  const allowed = await startAndAllow(admin)
  const cookie = [...admin.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const head = await world.call(new Request(new URL(allowed, APP_URL), { method: 'HEAD', headers: { cookie } }))
  expect([head.status, countTokenCalls()]).toEqual([404, 0])
})

test('A6: spoofed Host and X-Forwarded headers change neither redirect_uri nor links', async () => {
  const spoofed = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const response = await admin.post('/api/connections/connect', {}, spoofed)
  const consent = new URL(leadsTo(response))
  expect(consent.origin).toBe(world.sandbox.authUrl)
  expect(consent.searchParams.get('redirect_uri')).toBe(`${APP_URL}${CALLBACK}`)
  const back = await admin.get(await answer(consent, 'allow'), spoofed)
  expect(back.headers.get('location')).toMatch(/^\/connections\?connect=connected&/)
})

test.each([
  ['HTML with status 200', { type: 'html', status: 200 }, 'failed'],
  ['a status 500', { type: 'status', status: 500, body: '{"error":"server_error"}' }, 'failed'],
  ['a truncated body', { type: 'truncate', bytes: 30, keepLength: false }, 'failed'],
  ['a reset', { type: 'drop_after_effect' }, 'failed'],
  ['a redirect', { type: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, 'failed'],
  ['no access_token', { type: 'rewrite', replace: [['"access_token"', '"token"']] }, 'failed'],
  [
    'an access_token that is no text',
    { type: 'rewrite', replace: [['"access_token":"', '"access_token":7,"x":"']] },
    'failed',
  ],
  ['no refresh_token', { type: 'rewrite', replace: [['"refresh_token"', '"renewal"']] }, 'incomplete'],
] as const)('a token answer with %s connects nothing and logs no token', async (_, action, outcome) => {
  const allowed = await startAndAllow(admin)
  const cookie = admin.cookies.get('tieout.session')
  world.sandbox
    .state()
    .faults.add({ match: { path: '/accounts/oauth2/token/' }, action: structuredClone(action) as never })
  const response = await admin.get(allowed)
  expect(response.headers.get('location')).toBe(`/connections?connect=${outcome}`)
  // the two of a spent intent are cleared; nothing else is touched
  expect(response.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([
    'tieout.connect.state=',
    'tieout.connect.intent=',
  ])
  expect(admin.cookies.get('tieout.session')).toEqual(cookie)
  expect(await countRows()).toBe('0')
  expect(await world.database.query('select outcome from connect_intent')).toEqual([{ outcome }])
  const issued = world.sandbox.state().oauth.everIssued()
  expect(world.logLines.filter((line) => issued.some((token) => line.includes(token)))).toEqual([])
})

test.each([
  ['"expires_in":3600', '"expires_in":"3600"', 3600],
  ['"expires_in":3600,', '', 3600],
  ['"expires_in":3600', '"expires_in":"soon"', 3600],
  ['"expires_in":3600', '"expires_in":1200', 1200],
])('reads a lifetime: %s -> %s', async (from, to, seconds) => {
  const allowed = await startAndAllow(admin)
  const action = { type: 'rewrite' as const, replace: [[from, to]] as [string, string][] }
  world.sandbox.state().faults.add({ match: { path: '/accounts/oauth2/token/' }, action })
  await admin.get(allowed)
  const [row] = await world.database.query<{ seconds: string }>(
    'select extract(epoch from access_expires_at - obtained_at)::int as seconds from connection_credential',
  )
  // the client rounds its own clock down to whole seconds
  expect(Number(row?.seconds)).toBeGreaterThanOrEqual(seconds - 2)
  expect(Number(row?.seconds)).toBeLessThanOrEqual(seconds)
})

test('only an admin connects accounts, from our own pages', async () => {
  const finance = world.browser()
  await finance.signIn('finance@example.com')
  expect((await finance.post('/api/connections/connect')).status).toBe(403)
  const nobody = world.browser()
  expect((await nobody.post('/api/connections/connect')).headers.get('location')).toBe('/sign-in')
  expect(await world.database.query('select from connect_intent')).toEqual([])
})

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a sister site', { origin: APP_URL, 'sec-fetch-site': 'same-site' }],
  ['an old browser on another site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['a text/plain form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
])('A11: refuses to connect for %s', async (_, headers) => {
  expect((await admin.post('/api/connections/connect', {}, headers)).status).toBe(403)
  expect(await world.database.query('select from connect_intent')).toEqual([])
})

test('a consent to reconnect waits for the worker: same id, tokens sealed aside, none used yet', async () => {
  await admin.get(await startAndAllow(admin))
  const [{ id } = { id: '' }] = await world.database.query<{ id: string }>('select id from connection')
  await world.database.query(
    `update connection set state = 'needs_reconnect', state_cause = 'lost_response', name = 'Acme'`,
  )
  const response = await admin.post('/api/connections/connect', { connection: id })
  const back = await admin.get(await answer(new URL(leadsTo(response)), 'allow'))
  expect(back.headers.get('location')).toBe(`/connections/${id}?connect=reconnecting`)
  const rows = await world.database.query(
    `select c.id, c.name, c.state, k.generation, n.status, n.state_before from connection c
     join connection_credential k using (organization_id) join connection_candidate n using (organization_id)
     where k.connection_id = c.id and n.connection_id = c.id`,
  )
  const waits = { status: 'unchecked', state_before: 'needs_reconnect' }
  expect(rows).toEqual([{ id, name: 'Acme', state: 'pending', generation: 1, ...waits }])
})

test('a refused answer names the connection to start again with, but only to whoever started', async () => {
  await admin.get(await startAndAllow(admin))
  const [{ id } = { id: '' }] = await world.database.query<{ id: string }>('select id from connection')
  const response = await admin.post('/api/connections/connect', { connection: id })
  const declined = await answer(new URL(leadsTo(response)), 'decline')
  const stranger = world.browser()
  await stranger.signIn('stranger@example.com')
  for (const [name, cookie] of admin.cookies) if (name.includes('connect')) stranger.cookies.set(name, cookie)
  expect((await stranger.get(declined)).headers.get('location')).toBe('/connections?connect=other_user')
  const location = (await admin.get(declined)).headers.get('location')
  expect(location).toBe(`/connections?connect=declined&connection=${id}`)
})

test('a connection being disconnected is not reconnected, before or after the consent page', async () => {
  await admin.get(await startAndAllow(admin))
  const [{ id } = { id: '' }] = await world.database.query<{ id: string }>('select id from connection')
  const response = await admin.post('/api/connections/connect', { connection: id })
  const allowed = await answer(new URL(leadsTo(response)), 'allow')
  await world.database.query(`update connection set state = 'disconnecting'`)
  const refused = '/connections?connect=disconnecting'
  expect((await admin.post('/api/connections/connect', { connection: id })).headers.get('location')).toBe(refused)
  expect((await admin.get(allowed)).headers.get('location')).toBe(refused)
  expect(await world.database.query('select from connection_candidate')).toEqual([])
})

test('does not reconnect another organization’s connection', async () => {
  await admin.get(await startAndAllow(admin))
  const [{ id } = { id: '' }] = await world.database.query<{ id: string }>('select id from connection')
  const stranger = world.browser()
  await stranger.signIn('stranger@example.com')
  expect((await stranger.post('/api/connections/connect', { connection: id })).status).toBe(404)
  expect((await stranger.post(`/api/connections/${id}/sync`)).status).toBe(404)
  expect(await (await stranger.get('/api/connections')).json()).toEqual({ connections: [] })
})

test('A16: tokens, codes, states and session secrets are in no cookie, log line or column but the sealed one', async () => {
  const allowed = await startAndAllow(admin)
  const { searchParams } = new URL(allowed, APP_URL)
  const intentId = admin.cookies.get('tieout.connect.intent')?.value ?? 'missing'
  expect(intentId).toMatch(/^[\w-]{43}$/)
  await admin.get(allowed)
  const listed = await (await admin.get('/api/connections')).text()
  const secrets = [...world.sandbox.state().oauth.everIssued(), searchParams.get('state') ?? '']
  expect(secrets.length).toBeGreaterThan(3)
  const tables = await world.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const dump = JSON.stringify(await world.database.query(`select t::text from "${name}" t`))
    for (const secret of [...secrets, intentId]) expect(dump).not.toContain(secret)
  }
  const cookies = JSON.stringify([...admin.cookies])
  for (const secret of secrets) {
    expect(cookies).not.toContain(secret)
    expect(listed).not.toContain(secret)
    expect(world.logLines.join()).not.toContain(secret)
  }
})
