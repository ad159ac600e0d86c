import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import type { FaultRequest } from '#lib/sandbox/faults.ts'
import { listEvidence } from '../pages/keep-evidence.ts'
import { CircuitOpenError, listPartnerHosts, openHostGate, toCallLimit } from '../platform/partner-host.ts'
import type { SyncTiming } from '../runs/timing.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { dataCalls, expectUpstream } from '../test-support/test-upstream.ts'
import { runSync } from './run-sync.ts'

const LINES = '/api/v1/invoices/lines'

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId
let count = 0

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from partner_host')
  const connected = await world.connect('meridian')
  connectionId = connected.connectionId
  runId = connected.runId
  count += 1
})

const addFault = (fault: FaultRequest) => world.sandbox.state().faults.add(fault)
/** A breaker for one test: the process remembers a host by its rules. */
const timingOf = (circuit: Partial<SyncTiming['circuit']>): SyncTiming => ({
  ...QUICK_TIMING,
  circuit: { failures: 5, openBaseMs: 60_000 + count, openCapMs: 600_000, probeMs: 5_000, ...circuit },
})
function run(timing: SyncTiming, callsPerSecond = 0, of = runId) {
  const { organizationId, partner } = world
  const signal = new AbortController().signal
  return runSync({ organizationId, runId: of }, { partner: { ...partner, callsPerSecond }, timing, signal })
}
async function readRun() {
  const [row] = await world.database.query('select * from sync_run where id = $1', [runId])
  return row as Record<string, unknown>
}
const expireLease = () => world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
/** Lets the pause of an open circuit pass. */
const passPause = () => world.database.query(`update partner_host set retry_at = now() - interval '1 second'`)

test('F27: a host is left alone after five failures in a row; one call probes it after the pause', async () => {
  const timing = timingOf({})
  addFault({ match: { path: LINES }, nth: 2, times: 0, action: { type: 'status', status: 500, body: '<h1>oops</h1>' } })
  expect(await run(timing)).toBe('postponed')
  const calls = () => dataCalls(world).filter(({ list }) => list === '/invoices/lines')
  expect(calls().map(({ status }) => status)).toEqual([200, 500, 500, 500, 500, 500])
  const [host] = await listPartnerHosts()
  expect(host).toMatchObject({
    circuit: 'open',
    consecutiveFailures: 5,
    lastFailure: { kind: 'unavailable', status: 500 },
  })
  expect(host?.host).toBe(new URL(world.partner.baseUrl).host)

  // nor is another account of the same platform read meanwhile, and that costs it no attempt
  const other = await world.connect('nordlicht')
  expect(await run(timing, 0, other.runId)).toBe('postponed')
  const [waiting] = await world.database.query('select * from sync_run where id = $1', [other.runId])
  expect(waiting).toMatchObject({ status: 'running', error_code: 'partner-circuit-open', attempts: 0 })
  expect(calls()).toHaveLength(6)

  // the pause passes, the platform still fails: one call, and a longer pause
  await passPause()
  await expireLease()
  expect(await run(timing)).toBe('postponed')
  expect(calls()).toHaveLength(7)
  expect((await listPartnerHosts())[0]).toMatchObject({ circuit: 'open' })

  // it comes back
  world.sandbox.state().faults.clear()
  await passPause()
  await expireLease()
  expect(await run(timing)).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  expect((await listPartnerHosts())[0]).toMatchObject({ circuit: 'closed', consecutiveFailures: 0, retryAt: null })
})

test('F27: an open circuit uses up none of a run’s attempts, however often a worker looks', async () => {
  const timing = timingOf({})
  addFault({ match: { path: LINES }, times: 0, action: { type: 'drop_before' } })
  expect(await run(timing)).toBe('postponed')
  const calls = dataCalls(world).length
  for (let look = 0; look < 12; look++) {
    await expireLease()
    expect(await run(timing)).toBe('postponed')
  }
  expect(dataCalls(world)).toHaveLength(calls)
  expect(await readRun()).toMatchObject({ status: 'running', error_code: 'partner-circuit-open' })
})

test.each([
  ['works again, and go through', true],
  ['still fails, and are not made', false],
])('F27: calls made while one probes wait until it shows that the host %s', async (_, works) => {
  const host = 'probed.example.com'
  await world.database.query(
    `insert into partner_host (host, circuit, consecutive_failures, times_opened, opened_at, retry_at)
     values ($1, 'open', 5, 1, now() - interval '1 minute', now())`,
    [host],
  )
  const { circuit } = timingOf({ probeMs: 60_000 })
  const gate = openHostGate(host, 0, circuit)
  const { signal } = new AbortController()
  let end = () => {}
  const probe = gate.call(
    () =>
      new Promise<string>((resolve, reject) => {
        end = () => (works ? resolve('here') : reject(new PartnerError('unavailable', 'down', { status: 500 })))
      }),
    signal,
  )
  await expect.poll(async () => (await listPartnerHosts())[0]?.circuit).toBe('half_open')
  let calls = 0
  const other = gate.call(async () => ++calls, signal).catch((thrown: unknown) => thrown)
  // another process is told to wait, which also gives the other call its time to be refused
  await expect(openHostGate(host, 0, circuit).call(async () => ++calls, signal)).rejects.toThrow(CircuitOpenError)
  end()
  expect(await probe.catch(() => 'failed')).toBe(works ? 'here' : 'failed')
  if (works) expect(await other).toBe(1)
  else expect(await other).toBeInstanceOf(CircuitOpenError)
  expect(calls).toBe(works ? 1 : 0)
})

test('F27: a storm of 429 with a Retry-After of an hour costs no attempt and makes one call at a time', async () => {
  addFault({
    match: { path: LINES },
    times: 0,
    action: { type: 'status', status: 429, headers: { 'retry-after': '3600' } },
  })
  const timing = timingOf({ failures: 1000 })
  for (let hour = 0; hour < 10; hour++) {
    expect(await run(timing)).toBe('postponed')
    await expireLease()
  }
  expect(dataCalls(world).filter(({ list }) => list === '/invoices/lines')).toHaveLength(10)
  expect(await readRun()).toMatchObject({ status: 'running', error_code: 'partner-throttled' })
  world.sandbox.state().faults.clear()
  expect(await run(timing)).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
})

test('F27: all syncs of a host share its call budget', async () => {
  const others = await Promise.all([world.connect('meridian'), world.connect('meridian')])
  world.sandbox.state().calls.clear()
  const startedAt = Date.now()
  const timing = timingOf({})
  const runs = [runId, ...others.map((other) => other.runId)].map((each) => run(timing, 6, each))
  expect(await Promise.all(runs)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  const seconds = (Date.now() - startedAt) / 1000
  const calls = dataCalls(world).length
  expect(calls).toBeGreaterThan(30)
  expect(calls).toBeLessThanOrEqual(3 * 6 + 6 * seconds)
})

test('a rate of zero keeps no budget', () => {
  expect(toCallLimit(0)).toBeNull()
})

test('F22: keeps answers that break the interface, masked and bounded', async () => {
  addFault({ match: { path: LINES }, nth: 2, times: 1, action: { type: 'html' } })
  addFault({ match: { path: LINES }, nth: 4, times: 1, action: { type: 'gzip_bomb', megabytes: 64 } })
  expect(await run(timingOf({}))).toBe('succeeded')
  const evidence = await listEvidence(world.organizationId, connectionId)
  expect(evidence.map(({ kind, list }) => `${list} ${kind}`)).toEqual(['lines too_large', 'lines bad_body'])
  expect(evidence[1]).toMatchObject({ offset: 10, httpStatus: 200, beginning: expect.stringContaining('<') })
  for (const { beginning } of evidence) expect(beginning?.length ?? 0).toBeLessThanOrEqual(2048)
})

test('F22: a storm of bad answers does not fill the disk', async () => {
  addFault({ match: { path: LINES }, times: 0, action: { type: 'html' } })
  const timing = { ...timingOf({ failures: 1000 }), triesPerPage: 80, retryCapMs: 2, maxAttempts: 1 }
  await run(timing)
  expect(await listEvidence(world.organizationId, connectionId, 1000)).toHaveLength(50)
})
