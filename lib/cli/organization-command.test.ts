import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '#lib/auth/passwords/password.ts'
import '#lib/auth/test-support/test-cheap-passwords.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import { organization } from './organization-command.ts'
import { callCommand } from './test-support/test-command.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  settings().databaseUrl = database.urls.web
})
afterAll(() => database.drop())

/** What the command said, or the sentence it ended with. */
async function call(...args: string[]): Promise<string[]> {
  const { said, wrong } = await callCommand(organization, args)
  return wrong === '' ? said.map((line) => line.trim()) : [wrong]
}

test('makes organizations with an admin each, who sees nothing of the others, renames and lists them', async () => {
  expect(await call('list')).toEqual(['There is no organization yet: start the program once.'])
  const [made = '', shown = ''] = await call('create', 'Acme', '--admin', 'Ada@Example.com')
  const [, id = ''] = /^Acme is made \((.+)\), with ada@example.com as its admin\.$/.exec(made) ?? []
  const [, password = ''] = /^Password, shown this once: ([a-z2-9-]{29})$/.exec(shown) ?? []
  const users = await database.query<{ password_hash: string }>('select * from app_user')
  expect(users).toMatchObject([{ organization_id: id, email: 'ada@example.com', role: 'admin' }])
  expect(await verifyPassword(password, users[0]?.password_hash ?? null)).toBe('right')

  expect((await call('create', 'Bolt', '--admin', 'bob@example.com'))[0]).toContain('Bolt is made')
  expect(await call('rename', 'Acme', 'Acme Travel')).toEqual(['Acme is called Acme Travel now.'])
  expect(await call('list')).toEqual([
    `Acme Travel  ${id}  people: 1  admins: 1`,
    expect.stringMatching(/^Bolt {9}.{36} {2}people: 1 {2}admins: 1$/),
  ])
  const entries = await database.query(
    `select actor_kind, actor_name, action, before, after from audit_entry where organization_id = $1 order by number`,
    [id],
  )
  const who = { actor_kind: 'operator', actor_name: 'npm run organization' }
  expect(entries).toEqual([
    {
      ...who,
      action: 'organization.create',
      before: null,
      after: '{"name":"Acme","admin":"ada@example.com"}',
    },
    { ...who, action: 'organization.name', before: '{"name":"Acme"}', after: '{"name":"Acme Travel"}' },
  ])
})

test('makes no organization when its admin’s address is taken anywhere', async () => {
  await call('create', 'Cone', '--admin', 'cleo@example.com')
  const before = await database.query('select * from organization')
  expect(await call('create', 'Dome', '--admin', 'CLEO@example.com')).toEqual([
    'cleo@example.com is a user already. Nothing was changed.',
  ])
  expect(await database.query('select * from organization')).toEqual(before)
})

test.each([
  [[]],
  [['create', 'Acme']],
  [['create', '--admin', 'ada@example.com']],
  [['list', '--admin', 'ada@example.com']],
  [['rename', 'Acme']],
  [['constructor']],
])('answers a wrong call (%s) with the right usage', async (args) => {
  expect((await call(...args)).join()).toContain('Usage: npm run organization -- <what>')
})

test.each(['', '  ', 'two\nlines', 'x'.repeat(121)])('refuses a name that is none: %j', async (name) => {
  const before = await database.query('select * from organization')
  expect((await call('create', name, '--admin', 'new@example.com')).join()).toContain('A name has 1 to 120 characters')
  expect(await database.query('select * from organization')).toEqual(before)
})
