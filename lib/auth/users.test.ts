import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationId } from '#lib/ids.ts'
import { type Browser, PASSWORD, startWorld, type World } from './test-support/test-world.ts'

const PERSON = 'person@example.com'
const NOW = () => new Date()

let world: World
let users: typeof import('./users.ts')
let organizationId: OrganizationId
let passwordHash: string

beforeAll(async () => {
  world = await startWorld()
  users = await import('./users.ts')
  await world.addUser('first@example.com', 'admin')
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [first] = await world.database.query<{ organization_id: string; password_hash: string }>(
    `select organization_id, password_hash from app_user where email = 'first@example.com'`,
  )
  organizationId = first?.organization_id ?? ''
  passwordHash = first?.password_hash ?? ''
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from sign_in_throttle')
  await world.database.query(`delete from app_user where email not in ('first@example.com', 'stranger@example.com')`)
  await world.database.query(
    `update app_user set role = 'admin', disabled_at = null, password_hash = $1 where email in ('first@example.com', 'stranger@example.com')`,
    [passwordHash],
  )
})

const userIdOf = async (email: string) => (await users.findUserByEmail(email, NOW()))?.userId ?? ''
const isSignedIn = async (browser: Browser) => (await browser.get('/api/connections')).status === 200

async function signedIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = world.browser()
  const response = await browser.signIn(email, password)
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  expect(await isSignedIn(browser)).toBe(true)
  return browser
}

test('an added user signs in with the password given, only in their organization and role', async () => {
  const user = {
    email: ' Person@Example.com',
    name: 'A Person',
    role: 'viewer',
    password: 'a password for him',
  } as const
  expect(await users.addUser(organizationId, user, NOW())).toBe(true)
  const browser = await signedIn(PERSON, user.password)
  expect((await browser.post('/api/connections/connect')).status).toBe(403)
  expect(await users.findUserByEmail('PERSON@example.com ', NOW())).toMatchObject({
    email: PERSON,
    name: 'A Person',
    role: 'viewer',
    organizationName: 'First',
    organizationId,
    isDisabled: false,
    sessions: 1,
  })
})

test('an address taken in any organization is not added, and its user does not change', async () => {
  const before = await world.database.query('select * from app_user order by email')
  const user = { name: 'Other', role: 'admin', password: 'another password' } as const
  for (const email of ['first@example.com', 'STRANGER@example.com'])
    expect(await users.addUser(organizationId, { ...user, email }, NOW())).toBe(false)
  expect(await world.database.query('select * from app_user order by email')).toEqual(before)
})

test('a new password signs the user out everywhere, and the old one no longer works', async () => {
  await world.addUser(PERSON, 'finance')
  const [one, two] = [await signedIn(PERSON), await signedIn(PERSON)]
  const other = await signedIn('first@example.com')
  expect(await users.setPassword(organizationId, await userIdOf(PERSON), 'a new password', NOW())).toBe(2)
  expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(other)]).toEqual([false, false, true])
  await world.browser().signIn(PERSON)
  expect((await users.findUserByEmail(PERSON, NOW()))?.sessions).toBe(0)
  await signedIn(PERSON, 'a new password')
})

test('signing out everywhere ends every session of that user only; the password stays', async () => {
  await world.addUser(PERSON, 'finance')
  const [one, other] = [await signedIn(PERSON), await signedIn('first@example.com')]
  expect(await users.signOutUser(organizationId, await userIdOf(PERSON), NOW())).toBe(1)
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true])
  await signedIn(PERSON)
})

test('a new role counts at once, even in open sessions', async () => {
  await world.addUser(PERSON, 'viewer')
  const browser = await signedIn(PERSON)
  expect((await browser.post('/api/connections/connect')).status).toBe(403)
  expect(await users.setRole(organizationId, await userIdOf(PERSON), 'admin')).toBe(true)
  expect((await browser.post('/api/connections/connect')).status).toBe(200)
  expect(await users.setRole(organizationId, await userIdOf(PERSON), 'finance')).toBe(true)
  expect((await browser.post('/api/connections/connect')).status).toBe(403)
})

test('a disabled user is signed out and stays out; once enabled, the old password works', async () => {
  await world.addUser(PERSON, 'finance')
  const browser = await signedIn(PERSON)
  const userId = await userIdOf(PERSON)
  expect(await users.disableUser(organizationId, userId, NOW())).toBe(1)
  expect(await isSignedIn(browser)).toBe(false)
  expect((await world.browser().signIn(PERSON)).headers.get('location')).toContain('error=credentials')
  await users.enableUser(organizationId, userId)
  expect(await isSignedIn(browser)).toBe(false)
  await signedIn(PERSON)
})

test('the last admin who can sign in is neither disabled nor demoted, no matter who else is there', async () => {
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('gone@example.com', 'admin')
  await world.addUser('unset@example.com', 'admin')
  await world.database.query(`update app_user set disabled_at = now() where email = 'gone@example.com'`)
  await world.database.query(`update app_user set password_hash = null where email = 'unset@example.com'`)
  const browser = await signedIn('first@example.com')
  const first = await userIdOf('first@example.com')
  expect(await users.disableUser(organizationId, first, NOW())).toBe(null)
  for (const role of ['finance', 'viewer'] as const)
    expect(await users.setRole(organizationId, first, role)).toBe(false)
  expect(await users.findUserByEmail('first@example.com', NOW())).toMatchObject({ role: 'admin', isDisabled: false })
  expect(await isSignedIn(browser)).toBe(true)
  // users who are not admins able to sign in may be changed
  expect(await users.setRole(organizationId, await userIdOf('gone@example.com'), 'viewer')).toBe(true)
  expect(await users.disableUser(organizationId, await userIdOf('finance@example.com'), NOW())).toBe(0)
  expect(await users.setRole(organizationId, first, 'admin')).toBe(true)
})

test('when the last two admins are demoted or disabled at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    await world.addUser(`second-${round}@example.com`, 'admin')
    const [first, second] = [await userIdOf('first@example.com'), await userIdOf(`second-${round}@example.com`)]
    const done = await Promise.all([
      users.setRole(organizationId, first, 'viewer'),
      round % 2 === 0
        ? users.setRole(organizationId, second, 'viewer')
        : users.disableUser(organizationId, second, NOW()).then((ended) => ended !== null),
    ])
    expect(done.filter((isDone) => isDone)).toHaveLength(1)
    await world.database.query(`delete from app_user where email like 'second-%'`)
    await world.database.query(`update app_user set role = 'admin' where email = 'first@example.com'`)
  }
})

test('an id changes no user of another organization', async () => {
  const strangerId = await userIdOf('stranger@example.com')
  const before = await world.database.query('select * from app_user order by email')
  await users.setPassword(organizationId, strangerId, 'a new password', NOW())
  await users.setRole(organizationId, strangerId, 'viewer')
  await users.disableUser(organizationId, strangerId, NOW())
  await users.signOutUser(organizationId, strangerId, NOW())
  expect(await world.database.query('select * from app_user order by email')).toEqual(before)
})

test('A17: a session starting during a password change waits for it, and does not start', async () => {
  await world.addUser(PERSON, 'finance')
  const userId = await userIdOf(PERSON)
  const [user] = await world.database.query<{ passwordHash: string }>(
    'select password_hash as "passwordHash" from app_user where id = $1',
    [userId],
  )
  const change = new pg.Client({ connectionString: world.database.url, options: '-c tieout.scope=system' })
  await change.connect()
  try {
    await change.query('begin')
    await change.query(`update app_user set password_hash = 'of another password' where id = $1`, [userId])
    const { startSession } = await import('./sessions.ts')
    const start = startSession({ organizationId, userId, passwordHash: user?.passwordHash ?? '' }, NOW())
    const end = start.then(
      () => 'begun',
      (error: Error) => error.message,
    )
    // not in the open transaction, which would see the first answer again
    const waits = () =>
      world.database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%app_user%'`,
      )
    await expect.poll(async () => (await waits()).length, { timeout: 10_000 }).toBe(1)
    await change.query('commit')
    expect(await end).toContain('was changed after the password was checked')
  } finally {
    await change.end()
  }
  expect((await users.findUserByEmail(PERSON, NOW()))?.sessions).toBe(0)
})

test('lists the users of one organization, or of all', async () => {
  const all = await users.listUsers(null, NOW())
  expect(all.map(({ organizationName, email }) => [organizationName, email])).toEqual([
    ['First', 'first@example.com'],
    ['Second', 'stranger@example.com'],
  ])
  expect((await users.listUsers(organizationId, NOW())).map(({ email }) => email)).toEqual(['first@example.com'])
  expect((await users.listOrganizations()).map(({ name }) => name)).toEqual(['First', 'Second'])
})
