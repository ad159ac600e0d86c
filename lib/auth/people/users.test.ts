import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '#lib/audit/model.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type Browser, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'

const PERSON = 'person@example.com'
const NOW = () => new Date()
const BOSS: Actor = { kind: 'operator', name: 'a test' }
const done = (endedSessions = 0) => ({ kind: 'done', endedSessions })
const LAST_ADMIN = { kind: 'last-admin' }

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
  await world.database.query('delete from throttle')
  await world.database.query(
    `delete from app_user where email is null or email not in ('first@example.com', 'stranger@example.com')`,
  )
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
  expect(await users.addUser(organizationId, user, BOSS, NOW())).toBe(true)
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
    expect(await users.addUser(organizationId, { ...user, email }, BOSS, NOW())).toBe(false)
  expect(await world.database.query('select * from app_user order by email')).toEqual(before)
})

test('a new password signs the user out everywhere, and the old one no longer works', async () => {
  await world.addUser(PERSON, 'finance')
  const [one, two] = [await signedIn(PERSON), await signedIn(PERSON)]
  const other = await signedIn('first@example.com')
  expect(await users.setPassword(organizationId, await userIdOf(PERSON), 'a new password', BOSS, NOW())).toEqual(
    done(2),
  )
  expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(other)]).toEqual([false, false, true])
  await world.browser().signIn(PERSON)
  expect((await users.findUserByEmail(PERSON, NOW()))?.sessions).toBe(0)
  await signedIn(PERSON, 'a new password')
})

test('signing out everywhere ends every session of that user only; the password stays', async () => {
  await world.addUser(PERSON, 'finance')
  const [one, other] = [await signedIn(PERSON), await signedIn('first@example.com')]
  expect(await users.signOutUser(organizationId, await userIdOf(PERSON), BOSS, NOW())).toEqual(done(1))
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true])
  await signedIn(PERSON)
})

test('a new role counts at once, even in open sessions', async () => {
  await world.addUser(PERSON, 'viewer')
  const browser = await signedIn(PERSON)
  expect((await browser.post('/api/connections/connect')).status).toBe(403)
  expect(await users.setRole(organizationId, await userIdOf(PERSON), 'admin', BOSS)).toEqual(done())
  expect((await browser.post('/api/connections/connect')).status).toBe(200)
  expect(await users.setRole(organizationId, await userIdOf(PERSON), 'finance', BOSS)).toEqual(done())
  expect((await browser.post('/api/connections/connect')).status).toBe(403)
})

test('a disabled user is signed out and stays out; once enabled, the old password works', async () => {
  await world.addUser(PERSON, 'finance')
  const browser = await signedIn(PERSON)
  const userId = await userIdOf(PERSON)
  expect(await users.disableUser(organizationId, userId, BOSS, NOW())).toEqual(done(1))
  expect(await isSignedIn(browser)).toBe(false)
  expect((await world.browser().signIn(PERSON)).headers.get('location')).toContain('error=credentials')
  await users.enableUser(organizationId, userId, BOSS)
  expect(await isSignedIn(browser)).toBe(false)
  await signedIn(PERSON)
})

test('the last admin who can sign in is not disabled, demoted or removed, no matter who else is there', async () => {
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('gone@example.com', 'admin')
  await world.addUser('unset@example.com', 'admin')
  await world.database.query(`update app_user set disabled_at = now() where email = 'gone@example.com'`)
  await world.database.query(`update app_user set password_hash = null where email = 'unset@example.com'`)
  const browser = await signedIn('first@example.com')
  const first = await userIdOf('first@example.com')
  expect(await users.disableUser(organizationId, first, BOSS, NOW())).toEqual(LAST_ADMIN)
  expect(await users.removeUser(organizationId, first, BOSS, NOW())).toEqual(LAST_ADMIN)
  for (const role of ['finance', 'viewer'] as const)
    expect(await users.setRole(organizationId, first, role, BOSS)).toEqual(LAST_ADMIN)
  expect(await users.findUserByEmail('first@example.com', NOW())).toMatchObject({ role: 'admin', isDisabled: false })
  expect(await isSignedIn(browser)).toBe(true)
  // users who are not admins able to sign in may be changed
  expect(await users.setRole(organizationId, await userIdOf('gone@example.com'), 'viewer', BOSS)).toEqual(done())
  expect(await users.disableUser(organizationId, await userIdOf('finance@example.com'), BOSS, NOW())).toEqual(done())
  expect(await users.setRole(organizationId, first, 'admin', BOSS)).toEqual(done())
})

test('when the last two admins are demoted, disabled or removed at once, one stays', async () => {
  const ways: ((id: string) => Promise<{ kind: string }>)[] = [
    (id) => users.setRole(organizationId, id, 'viewer', BOSS),
    (id) => users.disableUser(organizationId, id, BOSS, NOW()),
    (id) => users.removeUser(organizationId, id, BOSS, NOW()),
  ]
  for (const [round, way] of [...ways, ...ways].entries()) {
    await world.addUser('a@example.com', 'admin')
    await world.addUser('b@example.com', 'admin')
    await world.database.query(`update app_user set disabled_at = now() where email = 'first@example.com'`)
    const [a, b] = [await userIdOf('a@example.com'), await userIdOf('b@example.com')]
    const demote = ways[round % 2] as (typeof ways)[number]
    const changes = await Promise.all([way(a), demote(b)])
    expect(changes.map(({ kind }) => kind).sort()).toEqual(['done', 'last-admin'])
    await world.database.query(`delete from app_user where id in ($1, $2)`, [a, b])
    await world.database.query(`update app_user set disabled_at = null where email = 'first@example.com'`)
  }
})

test('an admin who is demoted meanwhile does not count: the second of two open transactions sees the first', async () => {
  await world.addUser('other@example.com', 'admin')
  const [first, other] = [await userIdOf('first@example.com'), await userIdOf('other@example.com')]
  const open = new pg.Client({ connectionString: world.database.url, options: '-c tieout.scope=system' })
  await open.connect()
  try {
    await open.query('begin')
    await open.query('select from organization where id = $1 for no key update', [organizationId])
    await open.query(`update app_user set role = 'viewer' where id = $1`, [other])
    const change = users.removeUser(organizationId, first, BOSS, NOW())
    await expect.poll(() => isWaiting(world.database, 'organization'), { timeout: 10_000 }).toBe(true)
    await open.query('commit')
    expect(await change).toEqual(LAST_ADMIN)
  } finally {
    await open.end()
  }
})

test('a removed user is signed out and cannot sign in; the address is free, and histories go on naming them', async () => {
  const userId = await world.addUser(PERSON, 'admin')
  await world.database.query(`update app_user set name = 'Ada Lovelace' where id = $1`, [userId])
  const browser = await signedIn(PERSON)
  expect((await browser.post('/api/connections/connect')).status).toBe(200)
  const [connection] = await world.database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by, connected_by, connected_at)
     values ($1, 'active', 'expenses:read', $2, $2, now()) returning id`,
    [organizationId, userId],
  )
  expect(await users.removeUser(organizationId, userId, BOSS, NOW())).toEqual(done(1))
  expect(await isSignedIn(browser)).toBe(false)
  expect((await world.browser().signIn(PERSON)).headers.get('location')).toContain('error=credentials')
  expect(await world.database.query('select from connect_intent where spent_at is null')).toEqual([])
  expect(await users.findUserByEmail(PERSON, NOW())).toBe(null)
  expect((await users.listUsers(organizationId, NOW())).map(({ email }) => email)).toEqual(['first@example.com'])
  const { getConnection } = await import('#lib/connections/life/list-connections.ts')
  expect((await getConnection(organizationId, connection?.id ?? ''))?.connectedBy).toBe('Ada Lovelace')
  const [entry] = await world.database.query(
    `select action, subject_id, subject_name, before from audit_entry order by number desc limit 1`,
  )
  expect(entry).toEqual({
    action: 'people.remove',
    subject_id: userId,
    subject_name: PERSON,
    before: '{"name":"Ada Lovelace","role":"admin"}',
  })
  for (const change of [
    users.enableUser(organizationId, userId, BOSS),
    users.setRole(organizationId, userId, 'admin', BOSS),
    users.removeUser(organizationId, userId, BOSS, NOW()),
  ])
    expect(await change).toEqual({ kind: 'missing' })
  const again = { email: PERSON, name: 'Another Ada', role: 'viewer', password: 'another password' } as const
  expect(await users.addUser(organizationId, again, BOSS, NOW())).toBe(true)
  await signedIn(PERSON, again.password)
  expect(await userIdOf(PERSON)).not.toBe(userId)
  await world.database.query('delete from connection')
})

test('the database keeps no address or password of a removed user', async () => {
  const userId = await world.addUser(PERSON, 'viewer')
  await expect(
    world.database.query('update app_user set removed_at = now(), disabled_at = now() where id = $1', [userId]),
  ).rejects.toThrow('app_user_removed_is_out')
})

test('every change of a user is in the audit once, and one that changes nothing is not', async () => {
  const userId = await world.addUser(PERSON, 'viewer')
  await world.database.query('alter table audit_entry disable trigger user')
  await world.database.query('delete from audit_entry')
  await world.database.query('alter table audit_entry enable trigger user')
  for (let twice = 0; twice < 2; twice++) {
    await users.renameUser(organizationId, userId, 'Ada', BOSS)
    await users.setRole(organizationId, userId, 'finance', BOSS)
    await users.disableUser(organizationId, userId, BOSS, NOW())
  }
  await users.enableUser(organizationId, userId, BOSS)
  await users.enableUser(organizationId, userId, BOSS)
  const entries = await world.database.query(
    `select actor_kind, actor_name, action, subject_name, before, after from audit_entry order by number`,
  )
  const who = { actor_kind: 'operator', actor_name: 'a test', subject_name: PERSON }
  expect(entries).toEqual([
    { ...who, action: 'people.name', before: `{"name":"${PERSON}"}`, after: '{"name":"Ada"}' },
    { ...who, action: 'people.role', before: '{"role":"viewer"}', after: '{"role":"finance"}' },
    { ...who, action: 'people.deactivate', before: null, after: '{"endedSessions":0}' },
    { ...who, action: 'people.reactivate', before: null, after: null },
  ])
})

test('an id changes no user of another organization', async () => {
  const strangerId = await userIdOf('stranger@example.com')
  const before = await world.database.query('select * from app_user order by email')
  const changes = [
    users.setPassword(organizationId, strangerId, 'a new password', BOSS, NOW()),
    users.setRole(organizationId, strangerId, 'viewer', BOSS),
    users.renameUser(organizationId, strangerId, 'Nobody', BOSS),
    users.disableUser(organizationId, strangerId, BOSS, NOW()),
    users.enableUser(organizationId, strangerId, BOSS),
    users.signOutUser(organizationId, strangerId, BOSS, NOW()),
    users.removeUser(organizationId, strangerId, BOSS, NOW()),
  ]
  for (const change of changes) expect(await change).toEqual({ kind: 'missing' })
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
    const { startSession } = await import('../sessions.ts')
    const start = startSession({ organizationId, userId, passwordHash: user?.passwordHash ?? '' }, NOW())
    const end = start.then(
      () => 'begun',
      (error: Error) => error.message,
    )
    // not in the open transaction, which would see the first answer again
    await expect.poll(() => isWaiting(world.database, 'app_user'), { timeout: 10_000 }).toBe(true)
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
})
