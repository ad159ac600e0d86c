import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findPasswordProblem, verifyPassword } from '#lib/auth/passwords/password.ts'
import '#lib/auth/test-support/test-cheap-passwords.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { askPassword } from './ask-password.ts'
import { type Called, callCommand, runCommand, toSaidLines } from './test-support/test-command.ts'
import { users } from './users-command.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  settings().databaseUrl = database.urls.web
})
afterAll(() => database.drop())
beforeEach(async () => {
  // the audit cannot be emptied but by its owner, and names organizations
  await database.query('alter table audit_entry disable trigger user')
  await database.query('delete from audit_entry')
  await database.query('alter table audit_entry enable trigger user')
  await database.query('delete from audit_head')
  await database.query('delete from app_user')
  await database.query('delete from organization')
})

/** Calls the command in this process. */
const call = (...args: string[]) => callCommand(users, args)

/** Runs the command as `npm run users --` does, without the installation. */
async function run(args: string[], input = ''): Promise<Called> {
  const environment = { DATABASE_URL: database.urls.web }
  const { code, stdout, stderr } = await runCommand(['users', ...args], environment, { input })
  return { code: code ?? -1, said: toSaidLines(stdout), wrong: stderr.trim() }
}

const readUser = async (email: string) => {
  const [user] = await database.query<{ role: string; name: string; password_hash: string; disabled_at: Date | null }>(
    'select * from app_user where email = $1',
    [email],
  )
  return user
}

test('adds a user with a generated password that is shown once, as viewer unless another role is named', async () => {
  await seedOrganization(database.query, 'Acme')
  const { code, said, wrong } = await run(['add', 'Ada@Example.com', '--name', 'Ada Lovelace'])
  expect([code, wrong]).toEqual([0, ''])
  expect(said).toEqual([
    'ada@example.com is added to Acme as viewer.',
    expect.stringMatching(/^Password, shown this once: ([a-z2-9]{4}-){5}[a-z2-9]{4}$/),
  ])
  const user = await readUser('ada@example.com')
  expect(user).toMatchObject({ role: 'viewer', name: 'Ada Lovelace' })
  expect(await verifyPassword(said[1]?.split(': ')[1] ?? '', user?.password_hash ?? null)).toBe('right')
  const again = await call('add', 'ada@example.com', '--role', 'admin')
  expect([again.code, again.said]).toEqual([1, []])
  expect(again.wrong).toBe('ada@example.com is a user already. Nothing was changed.')
  expect(await readUser('ada@example.com')).toEqual(user)
}, 120_000)

test('takes a chosen password from standard input, and shows it nowhere', async () => {
  await seedOrganization(database.query, 'Acme')
  await call('add', 'ada@example.com')
  const { code, said, wrong } = await run(['password', 'ada@example.com', '--ask'], 'pässword of Ada\n')
  expect([code, said, wrong]).toEqual([0, ['ada@example.com has a new password; sessions ended: 0.'], ''])
  const before = await readUser('ada@example.com')
  expect(await verifyPassword('pässword of Ada', before?.password_hash ?? null)).toBe('right')
  const short = await run(['password', 'ada@example.com', '--ask'], 'short\n')
  expect(short).toEqual({
    code: 1,
    said: [],
    wrong: 'The password must have at least 8 characters. Nothing was changed.',
  })
  expect(await readUser('ada@example.com')).toEqual(before)
}, 120_000)

test.each([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['two lines', 'one password\nand another\n'],
])('refuses %s instead of a password', async (_, text) => {
  const input = new PassThrough()
  input.end(text)
  const asked = askPassword({ input: input as unknown as NodeJS.ReadStream, output: new PassThrough() })
  await expect(asked).rejects.toThrow('--ask needs a terminal, or the password as the one line of standard input.')
})

test('accepts passwords of 8 to 1024 characters only', async () => {
  const random = 'kV8)qz2!'.repeat(129)
  const lengths = [7, 8, 1024, 1025]
  expect(await Promise.all(lengths.map((length) => findPasswordProblem(random.slice(0, length))))).toEqual([
    'must have at least 8 characters',
    null,
    null,
    'must have at most 1024 characters',
  ])
})

test('disables, enables, signs out, changes roles and lists, and says so', async () => {
  const { organizationId } = await seedOrganization(database.query, 'Acme')
  await database.query(`update app_user set email = 'ada@example.com', password_hash = 'x'`)
  await call('add', 'bob@example.com', '--role', 'admin', '--name', 'Bob')
  await database.query(
    `insert into user_session (organization_id, id_hash, user_id, expires_at)
     select $1, 'hash ' || email, id, now() + interval '1 day' from app_user`,
    [organizationId],
  )
  const said = async (...args: string[]) => {
    const { said, wrong } = await call(...args)
    return wrong === '' ? said.map((line) => line.trim()) : wrong
  }
  expect(await said('list')).toEqual([
    'ada@example.com  admin  signed in: 1  Ada Admin  Acme',
    'bob@example.com  admin  signed in: 1  Bob        Acme',
  ])
  expect(await said('sign-out', 'bob@example.com')).toEqual([
    'bob@example.com is signed out everywhere; sessions ended: 1.',
  ])
  expect(await said('disable', 'ada@example.com')).toEqual(['ada@example.com is disabled; sessions ended: 1.'])
  const last =
    'bob@example.com is the last admin of Acme who can sign in: make somebody else admin first. Nothing was changed.'
  expect(await said('disable', 'bob@example.com')).toBe(last)
  expect(await said('role', 'bob@example.com', 'finance')).toBe(last)
  expect(await said('enable', 'ada@example.com')).toEqual([
    'ada@example.com may sign in again, with the same password as before.',
  ])
  expect(await said('role', 'bob@example.com', 'finance')).toEqual([
    'bob@example.com is finance now, also where signed in.',
  ])
  expect(await said('disable', 'nobody@example.com')).toBe('There is no user nobody@example.com.')
  expect(await said('remove', 'ada@example.com')).toBe(last.replace('bob', 'ada'))
  expect(await said('remove', 'bob@example.com')).toEqual([
    'bob@example.com is removed, and the address is free; sessions ended: 0.',
  ])
  expect(await said('enable', 'bob@example.com')).toBe('There is no user bob@example.com.')
  expect(await said('add', 'bob@example.com')).toContain('bob@example.com is added to Acme as viewer.')
  const entries = await database.query('select distinct actor_kind, actor_name from audit_entry')
  expect(entries).toEqual([{ actor_kind: 'operator', actor_name: 'npm run users' }])
})

test('asks which of several organizations is meant', async () => {
  const { organizationId } = await seedOrganization(database.query, 'Acme')
  const other = await seedOrganization(database.query, 'Bolt')
  const twin = await seedOrganization(database.query, 'Bolt')
  const without = await call('add', 'ada@example.com')
  expect(without.code).toBe(1)
  expect(without.wrong).toContain('Which organization? Name one with --organization')
  for (const id of [organizationId, other.organizationId, twin.organizationId]) expect(without.wrong).toContain(id)
  expect((await call('add', 'ada@example.com', '--organization', 'Bolt')).wrong).toContain('Which organization?')
  expect((await call('add', 'ada@example.com', '--organization', 'Cone')).wrong).toContain(
    'There is no organization "Cone".',
  )
  expect(await readUser('ada@example.com')).toBe(undefined)
  expect((await call('add', 'ada@example.com', '--organization', twin.organizationId)).code).toBe(0)
  expect((await call('add', 'bob@example.com', '--organization', 'Acme')).code).toBe(0)
  expect((await call('disable', 'ada@example.com', '--organization', 'Acme')).wrong).toBe(
    'There is no user ada@example.com in Acme.',
  )
  expect((await readUser('ada@example.com'))?.disabled_at).toBe(null)
})

test.each([
  [[]],
  [['add']],
  [['erase', 'ada@example.com']],
  [['constructor', 'ada@example.com']],
  [['role', 'ada@example.com']],
  [['password', 'ada@example.com', 'the password']],
  [['password', 'ada@example.com', '--password', 'the password']],
])('answers a wrong call (%s) with the right usage, and changes nothing', async (args) => {
  const { code, said, wrong } = await call(...args)
  expect([code, said]).toEqual([2, []])
  expect(wrong).toContain('Usage: npm run users -- <what>')
})

/** A terminal to type at. */
function openTerminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk) => {
    shown += chunk
  })
  const terminal = { input: input as unknown as NodeJS.ReadStream, output }
  const type = async (keys: string, after: RegExp) => {
    await expect.poll(() => shown, { timeout: 10_000 }).toMatch(after)
    input.write(keys)
  }
  return { terminal, type, shown: () => shown }
}

test('at a terminal asks twice, shows nothing of what is typed, and refuses two that differ', async () => {
  const same = openTerminal()
  const asked = askPassword(same.terminal)
  await same.type('correct horsf\u007fe\r', /Password: $/)
  await same.type('correct horse\r', /The same again: $/)
  expect(await asked).toBe('correct horse')
  expect(same.shown()).toBe('Password: \nThe same again: \n')
  const different = openTerminal()
  const refused = askPassword(different.terminal)
  await different.type('correct horse\r', /Password: $/)
  await different.type('battery staple\r', /The same again: $/)
  await expect(refused).rejects.toThrow('The two passwords differ.')
  const stopped = openTerminal()
  const ended = askPassword(stopped.terminal)
  await stopped.type('corr\u0003', /Password: $/)
  await expect(ended).rejects.toThrow('Stopped. Nothing was changed.')
})

test('removes a lost second step with its passkeys, and says when there is none', async () => {
  const { organizationId } = await seedOrganization(database.query, 'Acme')
  await call('add', 'ada@example.com')
  await database.query(
    `insert into authenticator (organization_id, user_id, sealed_secret, created_at, confirmed_at)
     select organization_id, id, 'x', now(), now() from app_user where email = 'ada@example.com' and organization_id = $1`,
    [organizationId],
  )
  expect((await call('reset-second-step', 'ada@example.com')).said).toEqual([
    'ada@example.com signs in with the password alone now; passkeys removed: 0, sessions ended: 0.',
  ])
  expect(await database.query('select from authenticator')).toEqual([])
  const resets = `select actor_kind, actor_name from audit_entry where action = 'second-step.reset'`
  expect(await database.query(resets)).toEqual([{ actor_kind: 'operator', actor_name: 'npm run users' }])
  expect((await call('reset-second-step', 'ada@example.com')).wrong).toContain('Nothing was changed')
})
