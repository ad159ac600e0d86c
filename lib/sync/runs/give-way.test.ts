import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { arePeopleHere, createGiveWay } from './give-way.ts'

let database: TestDatabase
let owner: Awaited<ReturnType<typeof seedOrganization>>

beforeAll(async () => {
  database = await createTestDatabase('worker')
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())
beforeEach(() => database.query('delete from user_session'))

function seeSession(ago: string) {
  return database.query(
    `insert into user_session (organization_id, user_id, id_hash, expires_at, last_seen_at)
     values ($1, $2, $3::text, now() + interval '1 day', now() - $3::text::interval)`,
    [owner.organizationId, owner.userId, ago],
  )
}

test('people are here for two minutes after their last request, which the worker may read', async () => {
  expect(await arePeopleHere()).toBe(false)
  await seeSession('125 seconds')
  expect(await arePeopleHere()).toBe(false)
  await seeSession('110 seconds')
  expect(await arePeopleHere()).toBe(true)
})

/** Gives way after work of these lengths, a second of the clock apart. */
async function work(lengths: number[], answers: (boolean | Error)[]) {
  let [asked, clock] = [0, 0]
  const pauses: number[] = []
  const giveWay = createGiveWay(new AbortController().signal, {
    now: () => clock,
    ask: async () => {
      const answer = answers[asked++]
      if (answer instanceof Error) throw answer
      return answer === true
    },
    pause: async (ms) => void pauses.push(ms),
  })
  const found = new Set<boolean>()
  for (const length of lengths) {
    found.add(await giveWay(length))
    clock += 1000
  }
  return { asked, pauses, found: [...found] }
}

test('a sync pauses twice as long as it worked, a second at most, while somebody is here', async () => {
  expect(await work([100, 40, 3000], [true])).toEqual({
    asked: 1,
    pauses: [200, 80, 1000],
    found: [true],
  })
  expect(await work([100, 40, 3000], [false])).toEqual({ asked: 1, pauses: [], found: [false] })
})

test('it asks every five seconds at most, and goes on when it cannot ask', async () => {
  expect(await work(Array(12).fill(10), [false, true, new Error('no database')])).toEqual({
    asked: 3,
    pauses: Array(5).fill(20),
    found: [false, true],
  })
})

test('a pause ends when the run must stop', async () => {
  const stopping = new AbortController()
  const giveWay = createGiveWay(stopping.signal, { ask: async () => true })
  stopping.abort()
  const begin = performance.now()
  await giveWay(3000)
  expect(performance.now() - begin).toBeLessThan(900)
})
