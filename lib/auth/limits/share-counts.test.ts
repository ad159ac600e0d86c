/** Several web servers on one database; each is this process with counts of its own. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import type { UserId } from '#lib/ids.ts'
import { Secret } from '#lib/secret.ts'
import { countRequest } from './request-budget.ts'
import { PEOPLE_OF_A_NETWORK, REQUEST_KINDS } from './request-kinds.ts'
import { shareCounts } from './share-counts.ts'

const { burst } = REQUEST_KINDS.document.budget
const anna = { userId: 'anna' as UserId, network: '203.0.113.7' }
const process = globalThis as { tieoutRequestCounts?: unknown }

let database: TestDatabase
let servers: unknown[]

beforeAll(async () => {
  database = await createTestDatabase()
  settings().sessionSecret = new Secret('a session secret of both web servers')
})
beforeEach(async () => {
  servers = []
  delete process.tieoutRequestCounts
  await database.query('delete from throttle')
})
afterAll(() => database.drop())

/** Works as one of the web servers. */
async function as<T>(server: number, work: () => T | Promise<T>): Promise<T> {
  process.tieoutRequestCounts = servers[server]
  const result = await work()
  servers[server] = process.tieoutRequestCounts
  return result
}

/** How many of `times` requests one server lets through. */
const ask = (server: number, times: number, sender = anna) =>
  as(
    server,
    () =>
      Array.from({ length: times }, () => countRequest('document', sender, new Date())).filter((wait) => wait === 0)
        .length,
  )

const share = (server: number) => as(server, shareCounts)

test('A18: what a person asked of one web server counts in the other, once both have shared', async () => {
  expect(await ask(0, burst)).toBe(burst)
  await share(0)
  // the other one learns it with its own first request
  expect(await ask(1, 1)).toBe(1)
  await share(1)
  expect(await ask(1, 5)).toBe(0)
  await share(0)
  expect(await ask(0, 5)).toBe(0)
})

test('A18: a burst that several let through at once is waited for as long as it counts', async () => {
  for (const server of [0, 1, 2]) expect(await ask(server, burst)).toBe(burst)
  for (const server of [0, 1, 2]) await share(server)
  const wait = await as(2, () => countRequest('document', anna, new Date()))
  // three seconds each, down from three bursts to less than one
  expect(wait).toBeGreaterThan(3 * 2 * burst - 3)
  expect(wait).toBeLessThanOrEqual(3 * (2 * burst + 1))
})

test('A18: people of a network count together in all, and others do not', async () => {
  const people = Array.from({ length: PEOPLE_OF_A_NETWORK }, (_, n) => ({ ...anna, userId: `person ${n}` as UserId }))
  for (const person of people) await ask(0, burst, person)
  await share(0)
  await ask(1, 1)
  await share(1)
  expect(await ask(1, 3)).toBe(0)
  expect(await ask(1, 3, { userId: 'elsewhere' as UserId, network: '198.51.100.1' })).toBe(3)
})

test('what is asked while counts are shared is not lost, and nothing is counted twice', async () => {
  await ask(0, 3)
  await as(0, async () => {
    const sharing = shareCounts()
    countRequest('document', anna, new Date())
    await sharing
  })
  expect(await ask(0, burst)).toBe(burst - 4)
  await share(0)
  await share(0)
  const [row] = await database.query<{ level: number }>(`select level from throttle where key = 'document person anna'`)
  expect(row?.level).toBeGreaterThan(burst - 0.9)
  expect(row?.level).toBeLessThanOrEqual(burst)
})

test('the network is kept as a keyed hash, and without an answer of the database each counts on', async () => {
  await ask(0, 1)
  await share(0)
  const rows = await database.query<{ key: string }>('select key from throttle')
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain(anna.network)
  await database.query('alter table throttle rename to throttle_away')
  expect(await ask(0, burst)).toBe(burst - 1)
  await share(0)
  expect(await ask(0, 1)).toBe(0)
  await database.query('alter table throttle_away rename to throttle')
})
