import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { type OwnServer, startOwnServer } from '../test-support/test-own-server.ts'
import { type RefreshWorld, startRefreshWorld } from '../test-support/test-refresh-world.ts'
import { readCredential, takeLease } from './refresh-lease.ts'
import { recordDecision } from './refresh-outcome.ts'
import { listSpooled, readSpooled } from './spool.ts'

let server: OwnServer
let world: RefreshWorld

beforeAll(async () => {
  server = await startOwnServer()
  world = await startRefreshWorld({ database: server.database })
}, 120_000)
afterAll(() => world.close())
beforeEach(async () => {
  await world.renew()
  await world.age()
})

test('F6: no token call is made while the database is down', async () => {
  await server.stop()
  await expect(world.getToken()).rejects.toThrow()
  expect(world.refreshes()).toEqual({})
  await server.start()
  expect((await world.getToken()).generation).toBe(2)
  expect(world.refreshes()).toEqual({ success: 1 })
})

test('F6: no token call is made while the database is read-only', async () => {
  await world.database.query('alter database tieout set default_transaction_read_only = on')
  await switchPool(world.database.url)
  await expect(world.getToken()).rejects.toMatchObject({ code: '25006' })
  expect(world.refreshes()).toEqual({})
  await world.database.query('begin read write; alter database tieout reset default_transaction_read_only; commit')
  await switchPool(world.database.url)
  expect((await world.getToken()).generation).toBe(2)
})

test('F7: a database that dies between answer and commit gets the tokens once it is back', async () => {
  let begin = 0
  const failpoint = async (place: string) => {
    if (place !== 'after-receive') return
    await server.stop()
    begin = performance.now()
    void delay(1500).then(server.start)
  }
  const { accessToken, generation } = await world.getToken({ failpoint })
  expect(performance.now() - begin).toBeGreaterThan(1400)
  expect([generation, world.isLive(accessToken)]).toEqual([2, true])
  expect(world.refreshes()).toEqual({ success: 1 })
  expect(await listSpooled()).toEqual([])
})

test('F7: a caller out of time leaves the answer to the spool, which retries until the database is back', async () => {
  const stopping = new AbortController()
  const failpoint = async (place: string) => {
    if (place !== 'after-spool') return
    await server.stop()
    stopping.abort()
  }
  await expect(world.getToken({ failpoint, signal: stopping.signal })).rejects.toMatchObject({
    code: 'database-unavailable',
  })
  const [spooled] = await listSpooled()
  const onDisk = spooled === undefined ? '' : await readSpooled(spooled)
  expect(onDisk).toMatch(/^eyJ/)
  const issued = world.sandbox.state().oauth.everIssued()
  expect(issued.filter((token) => onDisk?.includes(token))).toEqual([]) // A16: sealed on the disk too
  await server.start()
  await expect.poll(async () => (await world.readRow()).generation, { timeout: 25_000 }).toBe(2)
  await expect.poll(() => listSpooled()).toEqual([])
  expect(world.refreshes()).toEqual({ success: 1 })
})

test('F7: after a kill -9 the next process finds the tokens in the spool', async () => {
  const doomed = await world.startProcess(['--failpoint=after-spool=hold'])
  expect(await doomed.ask()).toBe('after-spool')
  await server.stop()
  void doomed.go()
  doomed.kill('SIGKILL')
  await doomed.exited
  await server.start()
  await world.passLease()
  const next = await world.startProcess()
  const answer = JSON.parse(await next.ask()) as { accessToken: string; generation: number }
  expect([answer.generation, world.isLive(answer.accessToken)]).toEqual([2, true])
  expect(world.refreshes()).toEqual({ success: 1 })
  expect(await listSpooled()).toEqual([])
})

test('P11: a refresh takes at most four durable commits', async () => {
  const countTransactions = async () => {
    const [row] = await world.database.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
    )
    return Number(row?.next)
  }
  const commits: number[] = []
  for (let round = 0; round < 5; round++) {
    await world.age()
    const before = await countTransactions()
    await world.getToken()
    commits.push((await countTransactions()) - before)
  }
  // each writing transaction gets a number, and its commit flushes the log once
  expect(commits).toEqual([2, 2, 2, 2, 2])
})

test.each([
  ['the spring change in New York', '2026-03-08T06:30:00Z'],
  ['the autumn change in New York', '2026-11-01T05:30:00Z'],
  ['a leap day', '2028-02-28T23:30:00Z'],
])('F15: lifetimes are spans of time, even across %s', async (_, startedAt) => {
  await world.database.query(`alter database tieout set timezone = 'America/New_York'`)
  await switchPool(world.database.url)
  const wanted = { owner: 'w', marginSeconds: 300, forceGeneration: null }
  const taken = await takeLease(world.organizationId, world.connectionId, wanted)
  if (taken.kind !== 'leased') throw new Error(taken.kind)
  const { attemptId } = taken.lease
  const attempt = { organizationId: world.organizationId, connectionId: world.connectionId, generation: 1 }
  const tokens = { kind: 'tokens', accessToken: 'a', refreshToken: 'r', expiresInSeconds: 3600, scope: null } as const
  const stored = await recordDecision(
    { ...attempt, attemptId, owner: 'w' },
    { kind: 'renew', tokens, startedAt: new Date(startedAt), notice: null },
    { sealed: 'sealed', keyId: 'k' },
  )
  expect(stored).toEqual({ kind: 'renewed' })
  const [row] = await world.database.query(
    `select extract(epoch from access_expires_at - obtained_at)::int as access,
            extract(epoch from refresh_expires_at - obtained_at)::int as refresh,
            obtained_at = $2::timestamptz as "isStart"
     from connection_credential where connection_id = $1`,
    [world.connectionId, startedAt],
  )
  expect(row).toEqual({ access: 3600, refresh: 2_592_000, isStart: true })
  expect((await readCredential(world.organizationId, world.connectionId, 300))?.isFresh).toBe(
    new Date(startedAt).getTime() + 3_300_000 > Date.now(),
  )
  await endPool()
  await world.database.query('alter database tieout reset timezone')
  await switchPool(world.database.url)
})
