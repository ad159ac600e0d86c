import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '#lib/audit/model.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { startWorld, type World } from '../test-support/test-world.ts'

const ADA = 'ada@example.com'
const NOW = new Date('2026-03-01T12:00:00Z')
const DAY_MS = 86_400_000
const CHOSEN = { name: 'Ada Lovelace', password: 'analytical engine' }
const NETWORK = '203.0.113.9'

let world: World
let invitations: typeof import('./invitations.ts')
let organizationId: OrganizationId
let second: OrganizationId
let boss: Actor

beforeAll(async () => {
  world = await startWorld()
  invitations = await import('./invitations.ts')
  const userId = await world.addUser('boss@example.com', 'admin')
  boss = { kind: 'person', userId, name: 'boss@example.com', network: NETWORK }
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const idOf = async (email: string) => {
    const [row] = await world.database.query<{ id: string }>(
      'select organization_id as id from app_user where email = $1',
      [email],
    )
    return row?.id ?? ''
  }
  organizationId = await idOf('boss@example.com')
  second = await idOf('stranger@example.com')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from throttle')
  await world.database.query('delete from invitation')
  await world.database.query(`delete from app_user where email = '${ADA}'`)
})

async function inviteAda(now = NOW): Promise<{ id: string; key: string }> {
  const invited = { email: ' Ada@Example.com', name: '', role: 'finance' } as const
  const made = await invitations.invite(organizationId, invited, boss, now)
  if (made.kind !== 'made') throw new Error(made.kind)
  return made
}

const accept = async (key: string, now = NOW) =>
  (await invitations.acceptInvitation(key, CHOSEN, NETWORK, now)) === 'joined'
const countUsers = async () => (await world.database.query('select from app_user')).length

test('an invited person joins with the invited address and role, and signs in with the password chosen', async () => {
  const { key } = await inviteAda()
  expect(await accept(key)).toBe(true)
  const [user] = await world.database.query(`select organization_id, name, role from app_user where email = '${ADA}'`)
  expect(user).toEqual({ organization_id: organizationId, name: CHOSEN.name, role: 'finance' })
  expect((await world.browser().signIn(ADA, CHOSEN.password)).headers.get('location')).toBe('/')
  expect(await invitations.listInvitations(organizationId)).toEqual([])
  const [entry] = await world.database.query(
    `select actor_kind, actor_name, network, action, after from audit_entry where action = 'people.join' order by number desc limit 1`,
  )
  expect(entry).toEqual({
    actor_kind: 'person',
    actor_name: ADA,
    network: NETWORK,
    action: 'people.join',
    after: '{"role":"finance","name":"Ada Lovelace"}',
  })
})

test('a link works once, also for two who use it at once', async () => {
  const { key } = await inviteAda()
  const before = await countUsers()
  // held until both have found it open
  const holder = new pg.Client({ connectionString: world.database.url, options: '-c tieout.scope=system' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from invitation for update')
  const both = Promise.all([accept(key), accept(key)])
  const waits = () =>
    world.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%invitation%'`,
    )
  await expect.poll(async () => (await waits()).length, { timeout: 10_000 }).toBe(2)
  await holder.end()
  expect((await both).sort()).toEqual([false, true])
  expect(await accept(key)).toBe(false)
  expect(await countUsers()).toBe(before + 1)
})

test('a link works for seven days and no longer', async () => {
  const { key } = await inviteAda()
  const end = new Date(NOW.getTime() + 7 * DAY_MS)
  expect(await accept(key, end)).toBe(false)
  expect(await invitations.findInvitation(key, end)).toBe(null)
  expect(await accept(key, new Date(end.getTime() - 1000))).toBe(true)
})

test('a withdrawn invitation lets nobody in', async () => {
  const { id, key } = await inviteAda()
  expect(await invitations.withdrawInvitation(organizationId, id, boss)).toBe(true)
  expect(await accept(key)).toBe(false)
  expect(await invitations.withdrawInvitation(organizationId, id, boss)).toBe(false)
})

test('another link makes the one before stop working, and begins another seven days', async () => {
  const { id, key } = await inviteAda()
  const later = new Date(NOW.getTime() + 6 * DAY_MS)
  const renewed = (await invitations.renewInvitation(organizationId, id, boss, later)) ?? ''
  expect(await accept(key, later)).toBe(false)
  const invited = await inviteAda(later)
  expect(invited.id).toBe(id)
  expect(await accept(renewed, later)).toBe(false)
  expect(await accept(invited.key, new Date(later.getTime() + 6 * DAY_MS))).toBe(true)
})

test('A23: only the hash of a link’s secret is stored, and in no audit entry', async () => {
  const { key } = await inviteAda()
  const secret = key.split('.')[1] ?? ''
  const rows = await world.database.query<{ row: string }>(
    `select i::text as row from invitation i union all select e::text from audit_entry e`,
  )
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(rows.map(({ row }) => row).join()).not.toContain(secret)
  expect(world.logLines.join()).not.toContain(secret)
})

test.each([
  ['nothing', () => ''],
  ['an organization alone', () => `${organizationId}.`],
  ['a secret of another organization', (key: string) => key.replace(organizationId, second)],
  ['an organization that is none', (key: string) => key.replace(organizationId, '-'.repeat(36))],
  ['a secret that is longer', (key: string) => `${key}A`],
  ['a NUL', (key: string) => `${key.slice(0, -1)}\0`],
])('opens nothing: %s', async (_title, spoil) => {
  const { key } = await inviteAda()
  expect(await accept(spoil(key))).toBe(false)
})

const EASY = 'iloveyou2'
const join = (key: string, password: string, address?: string) =>
  world.browser(address).post('/api/invite', { invitation: key, name: CHOSEN.name, password })

test('A18: a password is looked at only for a link that works', async () => {
  const { key } = await inviteAda(new Date())
  // well-formed, and nobody's
  const other = key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await join(other, EASY)).headers.get('location')).toBe('/invite?error=unusable')
  expect((await join(key, EASY)).headers.get('location')).toBe(`/invite?error=password#${key}`)
  expect((await join(key, ADA)).headers.get('location')).toBe(`/invite?error=password#${key}`)
  expect((await join(`http://localhost:3000/invite#${key}`, CHOSEN.password)).headers.get('location')).toBe(
    '/sign-in?said=joined',
  )
})

test('A18: who tries many links waits, and keeps nobody in another network from joining', async () => {
  const { key } = await inviteAda(new Date())
  const ends = []
  for (let each = 0; each < 11; each++) ends.push((await join(`${key}${each}`, EASY)).headers.get('location'))
  expect(ends.slice(0, 10)).toEqual(Array(10).fill('/invite?error=unusable'))
  expect(ends[10]).toMatch(/^\/invite\?error=wait&seconds=\d+#/)
  expect((await join(key, CHOSEN.password)).headers.get('location')).toMatch(/error=wait/)
  const colleague = await join(key, CHOSEN.password, '198.51.100.7')
  expect(colleague.headers.get('location')).toBe('/sign-in?said=joined')
})

test('an address of another organization is invited like any other, and its link lets nobody in', async () => {
  const before = await world.database.query('select * from app_user order by email')
  const invited = { email: 'stranger@example.com', name: '', role: 'admin' } as const
  const made = await invitations.invite(organizationId, invited, boss, NOW)
  expect(made.kind).toBe('made')
  if (made.kind !== 'made') return
  expect(await accept(made.key)).toBe(false)
  expect(await world.database.query('select * from app_user order by email')).toEqual(before)
  expect(await invitations.listInvitations(organizationId)).toHaveLength(1)
})

test('an address that is in the organization already is not invited', async () => {
  const invited = { email: 'Boss@example.com', name: '', role: 'viewer' } as const
  expect(await invitations.invite(organizationId, invited, boss, NOW)).toEqual({ kind: 'member' })
  expect(await invitations.listInvitations(organizationId)).toEqual([])
})

test('A8: another organization neither sees, renews nor withdraws an invitation', async () => {
  const { id, key } = await inviteAda()
  expect(await invitations.listInvitations(second)).toEqual([])
  expect(await invitations.renewInvitation(second, id, boss, NOW)).toBe(null)
  expect(await invitations.withdrawInvitation(second, id, boss)).toBe(false)
  expect(await accept(key)).toBe(true)
})
