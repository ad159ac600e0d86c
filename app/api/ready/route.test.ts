import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { noteStopSignals } from '#lib/http/stopping.ts'
import { serveSocket } from '#lib/partner/test-support/test-loopback.ts'
import { GET } from './route.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => switchPool(database.url))

/** A route to the database that counts what passes and can be blocked. */
async function openWay() {
  const seen = { connections: 0, questions: 0, isBlocked: false }
  const target = new URL(database.url)
  const way = await serveSocket((socket: Socket) => {
    seen.connections += 1
    const onward = connect(Number(target.port), target.hostname)
    onward.on('error', () => socket.destroy())
    onward.pipe(socket)
    socket.on('close', () => onward.destroy())
    socket.on('data', (data) => {
      if (data.includes('select 1')) seen.questions += 1
      if (!seen.isBlocked) onward.write(data)
    })
  })
  const url = new URL(database.url)
  url.port = new URL(way.url).port
  await switchPool(url.toString())
  return seen
}

const request = () => new Request('http://localhost:3000/api/ready')

test('says ok while the database answers, and 503 without a reason while it does not', async () => {
  const up = await GET(request())
  expect([up.status, await up.json()]).toEqual([200, { status: 'ok' }])
  // nothing listens on port 1
  await switchPool('postgresql://nobody@127.0.0.1:1/none')
  const down = await GET(request())
  expect([down.status, await down.json()]).toEqual([503, { status: 'unavailable' }])
})

test('answers while the pages hold every connection of the pool', async () => {
  let free: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    free = resolve
  })
  let holding = 0
  const pages = Array.from({ length: 10 }, () =>
    withSystemSql(async (sql) => {
      await sql('select 1')
      holding += 1
      await held
    }),
  )
  await expect.poll(() => holding, { timeout: 20_000 }).toBe(10)
  const waiting = withSystemSql((sql) => sql('select 1'))
  const first = await Promise.race([
    GET(request()).then(({ status }) => status),
    waiting.then(() => 'the pool was not used up'),
  ])
  free()
  await Promise.all([...pages, waiting])
  expect(first).toBe(200)
})

test('asks the database once a second for any number of requests, over one connection', async () => {
  const seen = await openWay()
  const answers = await Promise.all(Array.from({ length: 200 }, () => GET(request())))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect([seen.connections, seen.questions]).toEqual([1, 1])
  const begin = performance.now()
  let asked = 0
  for (; asked < 20 || performance.now() - begin < 1_200; asked++) await GET(request())
  const seconds = (performance.now() - begin) / 1000
  expect(asked).toBeGreaterThan(2 * seconds)
  expect(seen.questions).toBeGreaterThan(1)
  expect(seen.questions).toBeLessThanOrEqual(2 + seconds)
  expect(seen.connections).toBe(1)
})

test('says within seconds that the database does not answer, and notices its return', async () => {
  const seen = await openWay()
  expect((await GET(request())).status).toBe(200)
  seen.isBlocked = true
  const begin = performance.now()
  await expect.poll(async () => (await GET(request())).status, { timeout: 20_000 }).toBe(503)
  // a second for the kept answer, two for the query
  expect(performance.now() - begin).toBeLessThan(8_000)
  seen.isBlocked = false
  await expect.poll(async () => (await GET(request())).status, { timeout: 20_000 }).toBe(200)
})

test('is not ready once the process is told to stop, while the database still answers', async () => {
  expect((await GET(request())).status).toBe(200)
  const before = { SIGTERM: process.listeners('SIGTERM'), SIGINT: process.listeners('SIGINT') }
  noteStopSignals()
  const added = process.listeners('SIGTERM').filter((each) => !before.SIGTERM.includes(each))
  try {
    // as the signal does, for those who listen to it here
    for (const listener of added) listener('SIGTERM')
    expect((await GET(request())).status).toBe(503)
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      for (const each of process.listeners(signal).filter((one) => !before[signal].includes(one)))
        process.removeListener(signal, each)
    Object.assign(globalThis, { tieoutIsStopping: false })
  }
})
