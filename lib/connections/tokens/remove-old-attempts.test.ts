import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { removeAttemptBatch } from './remove-old-attempts.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.query('delete from connection')
  connectionId = await seedConnection(database.query, owner)
})

/** An attempt begun `daysOld` days ago that ended at once, or never when `outcome` is null. */
async function seedAttempt(
  generation: number,
  daysOld: number,
  { outcome = 'renewed' as string | null, answer = null as string | null, connection = connectionId } = {},
) {
  const [row] = await database.query<{ id: string }>(
    `insert into refresh_attempt (organization_id, connection_id, generation, started_at, finished_at, outcome, sealed_answer, answer_key_id)
     select $1, $2, $3, at, case when $5::text is not null then at end, $5, $6, case when $6::text is not null then 'key' end
     from (select now() - make_interval(days => $4) as at) moment returning id`,
    [owner.organizationId, connection, generation, daysOld, outcome, answer],
  )
  return row?.id as string
}

const seedCredential = (generation: number) =>
  database.query(
    `insert into connection_credential (organization_id, connection_id, generation, sealed_tokens, key_id, obtained_at, access_expires_at,
       refresh_expires_at) values ($1, $2, $3, 'sealed', 'key', now(), now(), now())`,
    [owner.organizationId, connectionId, generation],
  )

const left = async () =>
  (await database.query<{ id: string }>('select id from refresh_attempt')).map(({ id }) => id).sort()

async function removeAll(): Promise<number> {
  for (let sum = 0; ; ) {
    const removed = await removeAttemptBatch()
    if (removed === 0) return sum
    sum += removed
  }
}

test('removes attempts that ended over 30 days ago, with their useless answers; younger ones stay', async () => {
  await seedAttempt(1, 60)
  await seedAttempt(2, 45, { outcome: 'in_doubt', answer: 'sealed' })
  await seedAttempt(2, 31, { outcome: 'invalid_grant' })
  const young = [await seedAttempt(3, 29), await seedAttempt(4, 0)]
  await seedCredential(5)
  expect(await removeAll()).toBe(3)
  expect(await left()).toEqual(young.sort())
})

test('what the refresh protocol reads about current tokens stays: doubts, refusals, kept answers', async () => {
  await seedAttempt(6, 91)
  const ofToday = [
    await seedAttempt(7, 90, { outcome: 'in_doubt' }),
    await seedAttempt(7, 89, { outcome: 'answer_kept', answer: 'sealed' }),
    await seedAttempt(7, 88, { outcome: 'invalid_grant' }),
  ]
  await seedCredential(7)
  expect(await removeAll()).toBe(1)
  expect(await left()).toEqual(ofToday.sort())
})

test('an attempt that never ended stays', async () => {
  const open = await seedAttempt(1, 90, { outcome: null })
  await seedAttempt(2, 60)
  const newest = await seedAttempt(3, 50)
  expect(await removeAll()).toBe(1)
  expect(await left()).toEqual([open, newest].sort())
})

test('each connection keeps its newest attempt and the one with its last generation, even without tokens', async () => {
  const other = await seedConnection(database.query, owner, 'Other')
  await seedAttempt(1, 90)
  await seedAttempt(2, 80)
  const kept = [await seedAttempt(4, 70), await seedAttempt(3, 60), await seedAttempt(1, 200, { connection: other })]
  expect(await removeAll()).toBe(2)
  expect(await left()).toEqual(kept.sort())
})

test('a transaction takes at most its batch, and skips rows another worker has locked', async () => {
  const ids: string[] = []
  for (let generation = 1; generation <= 8; generation++) ids.push(await seedAttempt(generation, 60 - generation))
  await database.query('begin')
  await database.query('select from refresh_attempt where organization_id = $2 and id = $1 for update', [
    ids[0],
    owner.organizationId,
  ])
  try {
    expect([await removeAttemptBatch(4), await removeAttemptBatch(4), await removeAttemptBatch(4)]).toEqual([4, 2, 0])
  } finally {
    await database.query('rollback')
  }
  expect(await removeAttemptBatch(4)).toBe(1)
  expect(await left()).toEqual([ids[7]])
})

test('concurrent workers remove each attempt once', async () => {
  for (let generation = 1; generation <= 60; generation++) await seedAttempt(generation, 100 - generation)
  const batches = await Promise.all(Array.from({ length: 40 }, () => removeAttemptBatch(3)))
  // the youngest is 40 days old, so all may go but the newest
  expect(batches.reduce((sum, count) => sum + count, 0) + (await removeAll())).toBe(59)
  expect(await left()).toHaveLength(1)
})
