import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { createIntent, findIntent, noteIntentOutcome, spendIntent } from './connect-intents.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
const now = new Date('2026-03-04T05:06:07Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

beforeAll(async () => {
  database = await createTestDatabase()
  const [row] = await database.query<typeof owner>(
    `with o as (insert into organization (name) values ('first') returning id)
     insert into app_user (organization_id, email, name, role) select id, 'a@example.com', 'A', 'admin' from o
     returning organization_id as "organizationId", id as "userId"`,
  )
  owner = row as typeof owner
})
afterAll(() => database.drop())

async function makeIntent(id: string) {
  const actor = personOf(owner.userId)
  await createIntent({ ...owner, actor, sessionIdHash: 's', connectionId: null, id, state: `state of ${id}` }, now)
  const intent = await findIntent(id)
  if (intent === null) throw new Error('the intent was not stored')
  return { ...intent, actor }
}

test('A3: of many that spend an intent at once, exactly one succeeds', async () => {
  const intent = await makeIntent('raced')
  const spent = await Promise.all(Array.from({ length: 8 }, () => spendIntent(intent, null, now)))
  expect(spent.filter(Boolean)).toHaveLength(1)
})

test('A3: an intent lives for ten minutes', async () => {
  const intent = await makeIntent('old')
  expect(intent.expiresAt).toEqual(later(10))
  expect(await spendIntent(intent, 'declined', later(10))).toBe(false)
  expect(await spendIntent(intent, 'declined', later(9.9))).toBe(true)
})

test('A23: neither the id nor the state of an intent is stored', async () => {
  const intent = await makeIntent('secret-id')
  await noteIntentOutcome(intent, 'failed')
  const dump = JSON.stringify(await database.query('select * from connect_intent'))
  expect(dump).toContain(intent.idHash)
  expect(dump).not.toContain('secret-id')
  expect(await findIntent(intent.idHash)).toBeNull()
})

test('making an intent deletes those that ended more than a day ago', async () => {
  const intent = await makeIntent('forgotten')
  await createIntent(
    { ...owner, actor: personOf(owner.userId), sessionIdHash: 's', connectionId: null, id: 'next', state: 'x' },
    later(10 + 24 * 60 + 1),
  )
  expect(await findIntent('forgotten')).toBeNull()
  expect(await spendIntent(intent, null, now)).toBe(false)
})
