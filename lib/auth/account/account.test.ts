import { scryptSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { useRealCost } from '../test-support/test-cheap-passwords.ts'
import { type Browser, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'

const PERSON = 'person@example.com'
const NEW = 'four unlikely pelicans swim'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let world: World
let organizationId: OrganizationId
let userId: UserId

beforeAll(async () => {
  world = await startWorld({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'desk@example.com' })
  await world.addUser('admin@example.com', 'admin')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from throttle')
  await world.database.query('delete from password_wish')
  await world.database.query('delete from app_user where email = $1', [PERSON])
  await world.database.query('update organization set idle_minutes = 720, session_days = 30')
  userId = await world.addUser(PERSON, 'viewer')
  const [user] = await world.database.query<{ organization_id: OrganizationId }>(
    'select organization_id from app_user where id = $1',
    [userId],
  )
  organizationId = user?.organization_id ?? ''
})

const isSignedIn = async (browser: Browser) => (await browser.get('/api/connections')).status === 200
const leadsTo = (response: Response) => response.headers.get('location')
const storedHash = async () =>
  (
    await world.database.query<{ hash: string }>('select password_hash as hash from app_user where id = $1', [userId])
  )[0]?.hash ?? ''

async function signedIn(email = PERSON, password = PASSWORD): Promise<Browser> {
  const browser = world.browser()
  await browser.post('/api/sign-in', { email, password }, { 'user-agent': FIREFOX })
  expect(await isSignedIn(browser)).toBe(true)
  return browser
}

/** What the audit says of the person, newest first. */
const audited = (action: string) =>
  world.database.query<{ actor_kind: string; network: string | null; before: string | null; after: string | null }>(
    `select actor_kind, network, before, after from audit_entry
     where action = $1 and coalesce(subject_id, actor_id::text) = $2 order by number desc`,
    [action, userId],
  )

/** As if those who have tried by now had tried often. */
const useUpTries = () =>
  world.database.query(
    `update throttle set level = 20, counted_at = now() + interval '1 hour' where kind in ('pair', 'browser')`,
  )

const change = (browser: Browser, old: string, chosen = NEW) =>
  browser.post('/api/account/password', { old, chosen }).then(leadsTo)

async function makeLink(now = new Date()): Promise<string> {
  const { makeLinkByHand } = await import('./reset-password.ts')
  const address = await makeLinkByHand(
    { organizationId, userId, email: PERSON },
    { kind: 'operator', name: 'test' },
    now,
  )
  return new URL(address).hash.slice(1)
}

const setByLink = (link: string, chosen = NEW) =>
  world.browser().post('/api/sign-in/new-password', { link, chosen }).then(leadsTo)

test('changing the password keeps this session with another secret and ends all others', async () => {
  const [here, there] = [await signedIn(), await signedIn()]
  const copied = here.cookies.get('tieout.session')
  const [since] = await world.database.query('select min(created_at) as at from user_session where user_id = $1', [
    userId,
  ])
  expect(await change(here, PASSWORD)).toBe('/account?said=password-changed#password')
  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  const thief = world.browser()
  if (copied) thief.cookies.set('tieout.session', copied)
  expect(await isSignedIn(thief)).toBe(false)
  expect(
    await world.database.query('select created_at as at from user_session where user_id = $1 and ended_at is null', [
      userId,
    ]),
  ).toEqual([since])
  expect(await audited('password.changed')).toMatchObject([{ actor_kind: 'person', after: '{"sessionsEnded":1}' }])
  await signedIn(PERSON, NEW)
})

test('a wrong old password changes nothing, is throttled as a sign-in is, and makes nobody else wait', async () => {
  const [here, other] = [await signedIn(), await signedIn()]
  const before = await storedHash()
  expect(await change(here, 'not the password')).toBe('/account?error=password-wrong#password')
  await useUpTries()
  expect(await change(here, PASSWORD)).toMatch(/^\/account\?error=password-wait&seconds=\d+#password$/)
  expect(await storedHash()).toBe(before)
  expect(await change(other, PASSWORD)).toBe('/account?said=password-changed#password')
})

test('the password is not changed when somebody else has changed it meanwhile', async () => {
  // there is time between the old password and the new one
  useRealCost()
  const here = await signedIn()
  const { changePassword } = await import('./change-password.ts')
  const { readRequestSession } = await import('../doors/read-session.ts')
  const { UserChangedError } = await import('../sessions.ts')
  const request = new Request('http://localhost:3000/', {
    headers: { cookie: `tieout.session=${here.cookies.get('tieout.session')?.value}` },
  })
  const now = new Date()
  const session = await readRequestSession(request, now)
  if (session === null) throw new Error('not signed in')
  const actor = { kind: 'person', userId, name: PERSON, network: null } as const
  const changing = changePassword({ request, session, actor, now }, { old: PASSWORD, chosen: NEW })
  const { hashPassword } = await import('../passwords/password.ts')
  // made while the old password is looked at, stored before the new one is
  const other = await hashPassword('set by an operator')
  await world.database.query('update app_user set password_hash = $2 where id = $1', [userId, other])
  await expect(changing).rejects.toThrow(UserChangedError)
  expect(await storedHash()).toBe(other)
})

test.each([
  ['short', 'short'],
  ['common', 'iloveyou2'],
  ['common', 'Summer2026!'],
  ['common', 'x'.repeat(500)],
  ['personal', 'person-example-12'],
  ['personal', 'Tieout9vKpq'],
])('refuses a new password that is %s (%s), with the reason', async (reason, chosen) => {
  const here = await signedIn()
  const before = await storedHash()
  expect(await change(here, PASSWORD, chosen)).toBe(`/account?error=password-${reason}#password`)
  const link = await makeLink()
  expect(await setByLink(link, chosen)).toBe(`/sign-in/new-password?error=password-${reason}#${link}`)
  expect(await storedHash()).toBe(before)
})

test('refuses the old password as the new one', async () => {
  expect(await change(await signedIn(), PASSWORD, PASSWORD)).toBe('/account?error=password-same#password')
})

test('a hash of a lower cost is raised after signing in, and keeps the sessions that it began', async () => {
  useRealCost()
  const salt = Buffer.alloc(16, 7)
  const cheap = (password: string) => {
    const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 })
    return `scrypt$1024,8,1$${salt.toString('base64url')}$${key.toString('base64url')}`
  }
  await world.database.query('update app_user set password_hash = $2 where id = $1', [userId, cheap(PASSWORD)])
  const { startSession } = await import('../sessions.ts')
  const browser = await signedIn()
  await expect.poll(storedHash, { timeout: 20_000 }).toMatch(/^scrypt\$32768,8,3\$/)
  const { verifyPassword } = await import('../passwords/password.ts')
  expect(await verifyPassword(PASSWORD, await storedHash())).toBe('right')
  expect(await isSignedIn(browser)).toBe(true)
  // somebody whose password was looked at before the hash was raised
  await startSession({ organizationId, userId, passwordHash: cheap(PASSWORD) }, new Date())
})

test('raising a hash never takes back a password that was changed meanwhile', async () => {
  useRealCost()
  const { hashPassword } = await import('../passwords/password.ts')
  const { raiseCost } = await import('../sign-in/raise-cost.ts')
  const salt = Buffer.alloc(16, 7).toString('base64url')
  const old = `scrypt$1024,8,1$${salt}$${Buffer.alloc(32).toString('base64url')}`
  const changed = await hashPassword(NEW)
  await world.database.query('update app_user set password_hash = $2 where id = $1', [userId, changed])
  await raiseCost({ organizationId, userId, passwordHash: old }, PASSWORD)
  expect(await storedHash()).toBe(changed)
})

test('asking for a link is answered alike for every address, and noted without looking it up', async () => {
  const ask = (email: string) => world.browser().post('/api/sign-in/forgotten', { email })
  const answers = [await ask(PERSON), await ask('nobody@example.com')]
  for (const answer of answers) {
    expect([answer.status, leadsTo(answer)]).toEqual([303, '/sign-in/forgotten?said=password-asked'])
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(await world.database.query('select address from password_wish order by asked_at')).toEqual([
    { address: PERSON },
    { address: 'nobody@example.com' },
  ])
  expect(await world.database.query('select from password_reset where user_id = $1', [userId])).toEqual([])
})

test('who asks for many links waits, and keeps nobody in another network from asking or signing in', async () => {
  const ask = (browser: Browser) => browser.post('/api/sign-in/forgotten', { email: PERSON }).then(leadsTo)
  const flooding = world.browser('203.0.113.66')
  expect(await ask(flooding)).toBe('/sign-in/forgotten?said=password-asked')
  await useUpTries()
  expect(await ask(flooding)).toMatch(/error=password-wait&seconds=\d+$/)
  expect(await world.database.query('select from password_wish')).toHaveLength(1)
  expect(await ask(world.browser('198.51.100.9'))).toBe('/sign-in/forgotten?said=password-asked')
  await signedIn()
})

test('a link sets the password once, ends every session, and leads to signing in', async () => {
  const there = await signedIn()
  await world.browser().signIn(PERSON, 'not the password')
  await useUpTries()
  const [link, earlier] = [await makeLink(), await makeLink()]
  expect(await setByLink(link)).toBe('/sign-in?said=password-new')
  expect(await isSignedIn(there)).toBe(false)
  // the wrong tries of before do not make the person wait
  await signedIn(PERSON, NEW)
  for (const used of [link, earlier])
    expect(await setByLink(used, 'five other pelicans swim')).toBe('/sign-in/forgotten?error=password-gone')
  await signedIn(PERSON, NEW)
  expect(await audited('password.link-made')).toHaveLength(2)
  expect(await audited('password.reset')).toMatchObject([{ actor_kind: 'person', after: '{"sessionsEnded":1}' }])
})

test('of two who use a link at once, one sets the password', async () => {
  const link = await makeLink()
  const ends = await Promise.all([setByLink(link), setByLink(link, 'five other pelicans swim')])
  expect(ends.sort()).toEqual(['/sign-in/forgotten?error=password-gone', '/sign-in?said=password-new'])
})

test.each([
  ['after an hour', async () => makeLink(new Date(Date.now() - 3_600_001))],
  [
    'for a disabled person',
    async () => {
      const link = await makeLink()
      await world.database.query('update app_user set disabled_at = now() where id = $1', [userId])
      return link
    },
  ],
  [
    'after the password was changed otherwise',
    async () => {
      const link = await makeLink()
      await change(await signedIn(), PASSWORD)
      return link
    },
  ],
  ['that is made up', async () => 'A'.repeat(43)],
])('a link does not work %s', async (_, make) => {
  const link = await make()
  const before = await storedHash()
  expect(await setByLink(link)).toBe('/sign-in/forgotten?error=password-gone')
  expect(await storedHash()).toBe(before)
})

test('A18: who tries many links waits, and keeps nobody in another network from using one', async () => {
  const link = await makeLink()
  for (let each = 0; each < 10; each++) await setByLink('A'.repeat(42) + each)
  expect(await setByLink(link)).toMatch(/^\/sign-in\/new-password\?error=password-wait&seconds=\d+#[\w-]{43}$/)
  const elsewhere = world.browser('198.51.100.9')
  expect(await elsewhere.post('/api/sign-in/new-password', { link, chosen: NEW }).then(leadsTo)).toBe(
    '/sign-in?said=password-new',
  )
})

test('A23: the secret of a link stands behind the #, and a pasted link is as good', async () => {
  const { toPasswordAddress } = await import('#lib/auth/links/password-links.ts')
  const address = toPasswordAddress(await makeLink())
  expect(new URL(address).search).toBe('')
  expect(await setByLink(address)).toBe('/sign-in?said=password-new')
})

test('A23: a dump holds no link that works', async () => {
  const link = await makeLink()
  const { hashSecret } = await import('#lib/connections/secret-hash.ts')
  const rows = JSON.stringify([
    await world.database.query('select * from password_reset'),
    await world.database.query('select * from password_wish'),
    await world.database.query('select * from audit_entry'),
  ])
  expect(rows).not.toContain(link)
  expect(rows).toContain(hashSecret(link))
})

test('A17: other organizations’ and colleagues’ sessions are not listed and cannot be ended', async () => {
  const { listOwnSessions, endOwnSession } = await import('./own-sessions.ts')
  const [here, colleague] = [await signedIn(), await signedIn('admin@example.com')]
  const [session, theirs] = [await sessionOf(here), await sessionOf(colleague)]
  const listed = await listOwnSessions(session, new Date())
  expect(listed).toMatchObject([{ isThis: true, browser: 'Firefox on Windows', network: '203.0.113.1' }])
  const actor = { kind: 'person', userId, name: PERSON, network: null } as const
  expect(await endOwnSession(session, theirs.sessionIdHash, actor, new Date())).toBe(false)
  expect(await here.post('/api/account/sessions', { end: theirs.sessionIdHash }).then(leadsTo)).toBe(
    '/account?error=sessions-gone#sessions',
  )
  expect(await isSignedIn(colleague)).toBe(true)
})

test('A17: a person ends one session, or all but this one', async () => {
  const [here, one, two, three] = [await signedIn(), await signedIn(), await signedIn(), await signedIn()]
  const end = (what: string) => here.post('/api/account/sessions', { end: what }).then(leadsTo)
  expect(await end((await sessionOf(one)).sessionIdHash)).toBe('/account?said=sessions-ended#sessions')
  expect(await Promise.all([here, one, two, three].map(isSignedIn))).toEqual([true, false, true, true])
  await end('others')
  expect(await Promise.all([here, one, two, three].map(isSignedIn))).toEqual([true, false, false, false])
  expect(await audited('sessions.ended')).toMatchObject([{ after: '{"count":2}' }, { after: '{"count":1}' }])
})

async function readSessionAt(browser: Browser, now: Date) {
  const { readRequestSession } = await import('../doors/read-session.ts')
  const cookie = `tieout.session=${browser.cookies.get('tieout.session')?.value}`
  return readRequestSession(new Request('http://localhost:3000/', { headers: { cookie } }), now)
}

async function sessionOf(browser: Browser) {
  const session = await readSessionAt(browser, new Date())
  if (session === null) throw new Error('not signed in')
  return session
}

const limit = (browser: Browser, idleMinutes: number, sessionDays: number) =>
  browser.post('/api/settings/sessions', { idleMinutes: `${idleMinutes}`, sessionDays: `${sessionDays}` })
const age = (column: 'last_seen_at' | 'created_at', by: string) =>
  world.database.query(`update user_session set ${column} = now() - $2::interval where user_id = $1`, [userId, by])

test.each([
  ['last_seen_at', '15 minutes 1 second', 15, 30],
  ['created_at', '24 hours 1 second', 720, 1],
] as const)(
  'A17: a shorter limit of %s holds at the next request of sessions under way',
  async (column, by, idle, days) => {
    const [admin, browser] = [await signedIn('admin@example.com'), await signedIn()]
    await age(column, by)
    expect(await isSignedIn(browser)).toBe(true)
    await age(column, by)
    expect(leadsTo(await limit(admin, idle, days))).toBe('/settings?said=sessions-limits#sessions')
    expect(await isSignedIn(browser)).toBe(false)
  },
)

test('A17: a session within the shortest idle limit lives, though it was not noted with each request', async () => {
  const [admin, browser] = [await signedIn('admin@example.com'), await signedIn()]
  await limit(admin, 15, 30)
  await age('last_seen_at', '14 minutes')
  expect(await isSignedIn(browser)).toBe(true)
  const { listOwnSessions } = await import('./own-sessions.ts')
  const [noted] = await listOwnSessions(await sessionOf(browser), new Date())
  expect(Date.now() - (noted?.lastSeenAt.getTime() ?? 0)).toBeLessThan(60_000)
})

test('A17: whoever goes on asking idles from the last minute, and a sync gives way to them', async () => {
  const { arePeopleHere } = await import('#lib/sync/runs/give-way.ts')
  const [admin, browser] = [await signedIn('admin@example.com'), await signedIn()]
  await limit(admin, 15, 30)
  await world.database.query('delete from user_session where user_id <> $1', [userId])
  const now = Date.now()
  await age('last_seen_at', '5 minutes')
  expect(await arePeopleHere()).toBe(false)
  for (let at = now - 5 * 60_000; at <= now; at += 10_000)
    expect(await readSessionAt(browser, new Date(at))).not.toBeNull()
  expect(await arePeopleHere()).toBe(true)
  expect(await readSessionAt(browser, new Date(now + 14 * 60_000 - 10_000))).not.toBeNull()
})

test('A17: longer limits bring back no session that had ended', async () => {
  const [admin, browser] = [await signedIn('admin@example.com'), await signedIn()]
  await limit(admin, 15, 30)
  await age('last_seen_at', '1 hour')
  await limit(admin, 1440, 30)
  expect(await isSignedIn(browser)).toBe(false)
})

test('only an admin sets limits, of the choices that there are, for the own organization alone', async () => {
  await world.addUser('other@example.com', 'admin', 'Second')
  const [admin, viewer] = [await signedIn('admin@example.com'), await signedIn()]
  expect((await limit(viewer, 15, 1)).status).toBe(403)
  for (const [idle, days] of [
    [5, 30],
    [2880, 30],
    [15, 365],
    [15, 0],
  ] as const)
    expect((await limit(admin, idle, days)).status).toBe(400)
  await limit(admin, 15, 1)
  expect(await world.database.query('select name, idle_minutes, session_days from organization order by name')).toEqual(
    [
      { name: 'First', idle_minutes: 15, session_days: 1 },
      { name: 'Second', idle_minutes: 720, session_days: 30 },
    ],
  )
  const [entry] = await world.database.query(
    `select before, after from audit_entry where action = 'sessions.limits' order by number desc`,
  )
  expect(entry).toEqual({
    before: '{"idleMinutes":720,"sessionDays":30}',
    after: '{"idleMinutes":15,"sessionDays":1}',
  })
})

test('the audit tells who signed in where, who left, and which wrong password was looked at', async () => {
  const browser = await signedIn()
  await browser.post('/api/sign-out')
  expect(await audited('sign-in.done')).toMatchObject([
    { actor_kind: 'person', network: '203.0.113.1', after: '{"browser":"Firefox on Windows"}' },
  ])
  expect(await audited('sign-in.ended')).toMatchObject([{ actor_kind: 'person', network: '203.0.113.1' }])
  const guesser = world.browser('203.0.113.77')
  await guesser.signIn(PERSON, 'not the password')
  await guesser.signIn('nobody@example.com', 'not the password')
  await useUpTries()
  expect((await guesser.signIn(PERSON, 'not the password')).status).toBe(429)
  await expect.poll(() => audited('sign-in.refused')).toHaveLength(1)
  expect((await audited('sign-in.refused'))[0]).toMatchObject({
    actor_kind: 'program',
    after: '{"network":"203.0.113.77"}',
  })
})
