import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '#lib/ids.ts'
import { APP_URL, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'
import type { DoorRequest } from './sign-in-door.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('gone@example.com', 'admin')
  await world.database.query(`update app_user set disabled_at = now() where email = 'gone@example.com'`)
})
afterAll(() => world.close())

async function signedIn() {
  const browser = world.browser()
  await browser.signIn('finance@example.com')
  return browser
}

test('signs in with one plain form, whatever the case of the address', async () => {
  const browser = world.browser()
  const response = await browser.post('/api/sign-in', {
    email: ' Finance@Example.com ',
    password: PASSWORD,
    next: '/lines?trip=7&sort=-total_amount',
  })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/lines?trip=7&sort=-total_amount'])
  const [cookie, known, ...others] = response.headers.getSetCookie()
  expect(others).toEqual([])
  expect(cookie).toMatch(/^tieout\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
  expect(known).toMatch(
    /^tieout\.browser\.[\w-]{12}=[^;]+; Path=\/api\/sign-in; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
  )
  expect((await browser.get('/api/connections')).status).toBe(200)
})

test.each([
  ['a wrong password', 'finance@example.com', 'wrong'],
  ['an unknown address', 'nobody@example.com', PASSWORD],
  ['a disabled user', 'gone@example.com', PASSWORD],
  ['nothing', '', ''],
  ['NUL', 'finance@example.com\0', `${PASSWORD}\0`],
  ['a megabyte of password', 'finance@example.com', PASSWORD + 'x'.repeat(50_000)],
])('refuses %s with the same answer', async (_, email, password) => {
  const response = await world.browser().post('/api/sign-in', { email, password, next: '/groups' })
  expect(response.headers.get('location')).toBe('/sign-in?error=credentials&next=%2Fgroups')
  expect(response.headers.getSetCookie().filter((each) => !each.startsWith('tieout.email='))).toEqual([])
})

test('the form comes back with the email that was typed, which is in no address', async () => {
  const email = 'nobody@example.com'
  const { headers } = await world.browser().post('/api/sign-in', { email, password: 'wrong', next: '/' })
  expect(headers.get('location')).toBe('/sign-in?error=credentials')
  expect(headers.getSetCookie()).toEqual([
    `tieout.email=${encodeURIComponent(email)}; Path=/sign-in; Max-Age=60; HttpOnly; SameSite=Lax`,
  ])
})

test('A5: goes nowhere but to our own origin after signing in', async () => {
  const next = '//evil.example/\\'
  const response = await world
    .browser()
    .post('/api/sign-in', { email: 'finance@example.com', password: PASSWORD, next })
  expect(response.headers.get('location')).toBe('/')
})

test.each([
  ['another site', { origin: 'https://evil.example' }, 'origin'],
  ['no origin at all', { origin: undefined, 'sec-fetch-site': undefined }, 'origin'],
  ['text/plain', { 'content-type': 'text/plain' }, 'form'],
])('A11: refuses to sign in from %s', async (_, headers, error) => {
  const all = { 'content-type': 'application/x-www-form-urlencoded', origin: APP_URL, ...headers }
  const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const body = new URLSearchParams({ email: 'finance@example.com', password: PASSWORD }).toString()
  const request = new Request(`${APP_URL}/api/sign-in`, { method: 'POST', headers: present, body })
  const response = await world.call(request)
  expect(response.headers.get('location')).toBe(`/sign-in?error=${error}`)
  expect(response.headers.getSetCookie()).toEqual([])
})

test('A17: each sign-in makes a new session id and ends the session before it', async () => {
  const browser = await signedIn()
  const first = browser.cookies.get('tieout.session')
  await browser.signIn('finance@example.com')
  expect(browser.cookies.get('tieout.session')).not.toEqual(first)
  const thief = world.browser()
  if (first) thief.cookies.set('tieout.session', first)
  expect((await thief.get('/api/connections')).status).toBe(401)
})

test('A17: a planted cookie signs nobody in and is replaced', async () => {
  const browser = world.browser()
  browser.cookies.set('tieout.session', { value: 'planted', path: '/' })
  expect((await browser.get('/api/connections')).status).toBe(401)
  await browser.signIn('finance@example.com')
  expect(browser.cookies.get('tieout.session')?.value).not.toBe('planted')
})

test('A17: signing out ends the session on the server', async () => {
  const browser = await signedIn()
  const cookie = browser.cookies.get('tieout.session')
  const response = await browser.post('/api/sign-out')
  expect(response.headers.get('location')).toBe('/sign-in')
  expect(browser.cookies.has('tieout.session')).toBe(false)
  if (cookie) browser.cookies.set('tieout.session', cookie)
  expect((await browser.get('/api/connections')).status).toBe(401)
})

test('A11: another site signs nobody out', async () => {
  const browser = await signedIn()
  await browser.post('/api/sign-out', {}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
  expect((await browser.get('/api/connections')).status).toBe(200)
})

test.each([
  ['12 hours of idling', `last_seen_at = now() - interval '12 hours 1 second'`, 401],
  ['11 hours of idling', `last_seen_at = now() - interval '11 hours'`, 200],
  ['30 days', `expires_at = now() - interval '1 second'`, 401],
])('A17: after %s a session answers accordingly', async (_, change, status) => {
  const browser = await signedIn()
  await world.database.query(
    `update user_session set ${change} where created_at = (select max(created_at) from user_session)`,
  )
  expect((await browser.get('/api/connections')).status).toBe(status)
})

test('a session knows the last day on which its user was here before today, in any browser', async () => {
  const { findSession, startSession } = await import('../sessions.ts')
  const userId = await world.addUser('regular@example.com', 'viewer')
  const [user] = await world.database.query<{ organization_id: string }>(
    `select organization_id from app_user where email = 'regular@example.com'`,
  )
  const visit = async (at: string) => {
    const now = new Date(at)
    const key = await startSession({ organizationId: user?.organization_id as OrganizationId, userId }, now)
    return (await findSession(key, now))?.lastVisit
  }
  expect(await visit('2026-03-02T10:00:00Z')).toBeNull()
  expect(await visit('2026-03-02T23:59:59Z')).toBeNull()
  expect(await visit('2026-03-05T08:00:00Z')).toBe('2026-03-02')
  expect(await visit('2026-03-05T09:00:00Z')).toBe('2026-03-02')
  expect(await visit('2026-03-06T08:00:00Z')).toBe('2026-03-05')
})

test('who was here today already opens a page while nothing of people can be written', async () => {
  const browser = await signedIn()
  expect((await browser.get('/api/connections')).status).toBe(200)
  await world.database.query(`update user_session set last_seen_at = now() - interval '2 minutes'`)
  await world.database.query('begin')
  try {
    // as a cluster holds it while it gives an organization a shard of its own
    await world.database.query('lock table app_user in share mode')
    expect((await browser.get('/api/connections')).status).toBe(200)
  } finally {
    await world.database.query('commit')
  }
})

test('A17: the session of a disabled or removed user is dead at once', async () => {
  await world.addUser('leaver@example.com', 'admin')
  const browser = world.browser()
  await browser.signIn('leaver@example.com')
  await world.database.query(`update app_user set disabled_at = now() where email = 'leaver@example.com'`)
  expect((await browser.get('/api/connections')).status).toBe(401)
})

test('A23: a dump holds no passwords and nothing to make a cookie of', async () => {
  const browser = await signedIn()
  const { readSessionKey } = await import('../doors/read-session.ts')
  const key = await readSessionKey(browser.cookies.get('tieout.session')?.value)
  const dump = JSON.stringify([
    await world.database.query('select * from user_session'),
    await world.database.query('select * from app_user'),
  ])
  expect(key?.secret).toMatch(/^[\w-]{43}$/)
  expect(dump).not.toContain(key?.secret)
  expect(dump).not.toContain(PASSWORD)
})

test('redirects next-auth’s own pages to ours and exposes no other route of it', async () => {
  const browser = await signedIn()
  expect((await browser.get('/api/auth/signin')).headers.get('location')).toBe('/sign-in')
  expect((await browser.get('/api/auth/error?error=x')).headers.get('location')).toBe('/sign-in')
  for (const path of ['session', 'csrf', 'providers', 'callback/credentials', 'signin/partner', 'callback/partner/x'])
    expect((await browser.get(`/api/auth/${path}`)).status).toBe(404)
})

test('A22: every answer is private and not stored', async () => {
  const browser = await signedIn()
  const answers = [
    await browser.get('/api/connections'),
    await world.browser().get('/api/connections'),
    await browser.get('/api/auth/callback/partner'),
    await browser.signIn('finance@example.com'),
  ]
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, no-store')
})

test('A18: who could not sign in while the database was away is not turned away once it is back', async () => {
  const { pool, switchPool } = await import('#lib/db/pool.ts')
  const { connectionString = '' } = pool().options
  // the first form makes the route guard the door
  await signedIn()
  const holder = globalThis as unknown as {
    tieoutDoor: { addressHeader: string; refuse: (request: DoorRequest) => unknown }
    tieoutDoorBuckets?: Map<string, { level: number }>
  }
  const { tieoutDoor } = holder
  const readLevels = () => [...(holder.tieoutDoorBuckets?.values() ?? [])].map(({ level }) => level)
  const address = '192.0.2.77'
  const headers = { [tieoutDoor.addressHeader]: address }
  const knock = () => tieoutDoor.refuse({ method: 'POST', url: '/api/sign-in', headers })
  holder.tieoutDoorBuckets?.clear()
  // nobody listens there
  await switchPool('postgresql://nobody@127.0.0.1:1/nothing')
  for (let at = 0; at < 12; at++) {
    expect(knock()).toBeUndefined()
    const { headers: sent } = await world.browser(address).signIn('finance@example.com')
    expect(sent.get('location')).toBe('/sign-in?error=unavailable')
    await expect.poll(readLevels).toEqual([0])
  }
  await switchPool(connectionString)
  // a database that answers and cannot do it: that counts
  await world.database.query('alter table throttle rename to away')
  expect(knock()).toBeUndefined()
  await world.browser(address).signIn('finance@example.com')
  await world.database.query('alter table away rename to throttle')
  expect(readLevels()).toEqual([1])
})
