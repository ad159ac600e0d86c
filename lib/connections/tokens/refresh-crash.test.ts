import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type RefreshProcess,
  type RefreshWorld,
  startRefreshWorld,
  TOKEN_ENDPOINT,
} from '../test-support/test-refresh-world.ts'
import { REFRESH_FAILPOINTS } from './refresh-failpoints.ts'
import { listSpooled } from './spool.ts'

let world: RefreshWorld

beforeAll(async () => {
  world = await startRefreshWorld()
})
afterAll(() => world.close())
beforeEach(() => world.renew())

const oauth = () => world.sandbox.state().oauth
const toAnswer = (line: string) => JSON.parse(line) as { accessToken?: string; generation?: number; error?: string }

test('F1: of 8 processes exactly one renews at each expiry, and all use its token', {
  timeout: 180_000,
}, async () => {
  const workers: RefreshProcess[] = []
  for (let index = 0; index < 8; index++) workers.push(await world.startProcess())
  const rounds = 10
  for (let round = 1; round <= rounds; round++) {
    await world.age()
    const tokens = await Promise.all(workers.map((worker) => worker.ask()))
    expect(new Set(tokens).size).toBe(1)
    expect(toAnswer(tokens[0] ?? '')).toMatchObject({ generation: round + 1 })
  }
  const { maxSuccessesPerGeneration, reuseAttempts } = oauth().summary()
  expect(world.refreshes()).toEqual({ success: rounds })
  expect([maxSuccessesPerGeneration, reuseAttempts]).toEqual([1, 0])
  for (const worker of workers) worker.kill('SIGKILL')
})

/** What a killed process leaves behind: whether the platform acted, and the answer is safe. */
const LEFT_BEHIND = {
  'before-intent': { hasActed: false, isSafe: false },
  'after-intent': { hasActed: false, isSafe: false },
  'after-send': { hasActed: true, isSafe: false },
  'after-receive': { hasActed: true, isSafe: false },
  'after-spool': { hasActed: true, isSafe: true },
  'after-commit': { hasActed: true, isSafe: true },
} as const satisfies Record<(typeof REFRESH_FAILPOINTS)[number], unknown>

const CASES = REFRESH_FAILPOINTS.flatMap((place) =>
  (['refuse', 'same-pair', 'revoke-family'] as const).map((grace) => ({ place, grace, ...LEFT_BEHIND[place] })),
)

test.each(CASES)(
  'F5: kill -9 at $place, on a platform that answers a reuse with $grace',
  {
    timeout: 60_000,
  },
  async ({ place, grace, hasActed, isSafe }) => {
    oauth().setGrace(grace, 120)
    await world.age()
    const doomed = await world.startProcess([`--failpoint=${place}=kill`])
    void doomed.ask()
    expect(await doomed.exited).toBe('SIGKILL')
    // a request handed to the system reaches the platform although its sender is dead
    await expect.poll(() => world.refreshes().success ?? 0).toBe(hasActed ? 1 : 0)
    await world.passLease()
    const next = await world.startProcess()
    const answer = toAnswer(await next.ask())
    next.kill('SIGKILL')

    const { maxSuccessesPerGeneration } = oauth().summary()
    expect(maxSuccessesPerGeneration).toBe(1)
    const isRescued = isSafe || !hasActed || grace === 'same-pair'
    if (isRescued) {
      expect(answer.generation).toBe(2)
      expect(world.isLive(answer.accessToken ?? '')).toBe(true)
      expect(await world.readRow()).toMatchObject({ state: 'active', generation: 2, lease_owner: null })
    } else {
      expect(answer).toEqual({ error: 'connection-needs-reconnect' })
      expect(await world.readRow()).toMatchObject({ state: 'needs_reconnect', state_cause: 'lost_response' })
    }
    if (isSafe) expect(world.refreshes()).toEqual({ success: 1 })
    // a commit may leave the file behind: it does no harm, and the next worker's start removes it
    const { replaySpool } = await import('./spool-replay.ts')
    await replaySpool()
    expect(await listSpooled()).toEqual([])
    expect((await world.readRow()).generation).toBe(isRescued ? 2 : 1)
  },
)

const QUICK_LEASE = ['--lease-seconds=2', '--deadline-ms=1500']
const leaseIsOver = () =>
  expect
    .poll(
      async () => {
        const [row] = await world.database.query(
          'select lease_until <= clock_timestamp() as over from connection_credential where connection_id = $1',
          [world.connectionId],
        )
        return row?.over
      },
      { timeout: 10_000 },
    )
    .toBe(true)

/** A process that stopped itself at the place. `lineAfter` is what it prints once it continues. */
async function startStopped(place: string) {
  const stopped = await world.startProcess([`--failpoint=${place}=stop`, ...QUICK_LEASE])
  const lineAfter = stopped.ask()
  await expect.poll(async () => (await world.readRow()).lease_owner, { timeout: 10_000 }).not.toBe(null)
  return { stopped, lineAfter }
}

test('F8: a worker stopped before its request and past its lease does not send a token another has used', async () => {
  await world.age()
  const { stopped, lineAfter } = await startStopped('after-intent')
  await leaseIsOver()
  const renewed = await world.getToken()
  stopped.kill('SIGCONT')
  expect(toAnswer(await lineAfter)).toMatchObject({ accessToken: renewed.accessToken, generation: 2 })
  expect(world.refreshes()).toEqual({ success: 1 })
  expect((await world.readRow()).outcomes?.toSorted()).toEqual(['not_sent', 'renewed'])
})

test('F8: a worker stopped with its answer in hand revives the connection declared lost', async () => {
  await world.age()
  const { stopped, lineAfter } = await startStopped('after-receive')
  await leaseIsOver()
  await expect(world.getToken()).rejects.toMatchObject({ code: 'connection-needs-reconnect' })
  expect(await world.readRow()).toMatchObject({ state: 'needs_reconnect', state_cause: 'lost_response' })
  stopped.kill('SIGCONT')
  const answer = toAnswer(await lineAfter)
  expect([world.isLive(answer.accessToken ?? ''), answer.generation]).toEqual([true, 2])
  expect(await world.readRow()).toMatchObject({ state: 'active', state_cause: null, generation: 2 })
})

test('F8: a worker stopped with its answer on disk is fenced: another stored it, and the newest token wins', async () => {
  await world.age()
  const { stopped, lineAfter } = await startStopped('after-spool')
  await leaseIsOver()
  const stored = await world.getToken()
  await world.age()
  const newest = await world.getToken()
  expect([stored.generation, newest.generation]).toEqual([2, 3])
  stopped.kill('SIGCONT')
  expect(toAnswer(await lineAfter)).toMatchObject({ accessToken: newest.accessToken, generation: 3 })
  expect(await world.readRow()).toMatchObject({ generation: 3, outcomes: ['renewed', 'renewed'] })
  expect(world.refreshes()).toEqual({ success: 2 })
})

test.each([
  ['a machine that slept while only the wall clock went on', 'wall'],
  ['a wall clock set back meanwhile', 'monotonic'],
] as const)('F8: after %s, a token is not sent until a new lease is taken', async (_, clock) => {
  await world.age()
  const clocks = { monotonic: 1_000_000, wall: Date.now() }
  let isFirst = true
  const renewed = await world.getToken({
    readClocks: () => ({ ...clocks }),
    failpoint: (place) => {
      if (place !== 'after-intent' || !isFirst) return
      isFirst = false
      clocks.wall -= 3_600_000
      clocks.monotonic -= 3_600_000
      clocks[clock] += 3_600_000 + 61_000
    },
  })
  expect(renewed.generation).toBe(2)
  expect((await world.readRow()).outcomes).toEqual(['not_sent', 'renewed'])
  expect(world.refreshes()).toEqual({ success: 1 })
})

test('F15: a worker whose clock is ten minutes off judges a token like the others', async () => {
  for (const skew of [-600_000, 600_000]) {
    await world.renew()
    const skewed = await world.startProcess([], { NODE_OPTIONS: `--import=data:text/javascript,${skewClock(skew)}` })
    await world.age('access_expires_at', '-601 seconds')
    expect(toAnswer(await skewed.ask())).toMatchObject({ generation: 1 })
    await world.age('access_expires_at', '-299 seconds')
    expect(toAnswer(await skewed.ask())).toMatchObject({ generation: 2 })
    expect(toAnswer(await skewed.ask())).toMatchObject({ generation: 2 })
    skewed.kill('SIGKILL')
    expect(world.refreshes()).toEqual({ success: 1 })
    const [row] = await world.database.query(
      `select abs(extract(epoch from access_expires_at - now() - interval '1 hour')) < 30 as "isHour" from connection_credential
       where connection_id = $1`,
      [world.connectionId],
    )
    expect(row).toEqual({ isHour: true })
  }
})

function skewClock(ms: number): string {
  const code = `const now=Date.now,Real=Date;globalThis.Date=class extends Real{constructor(...a){a.length?super(...a):super(now()+${ms})}static now(){return now()+${ms}}}`
  return encodeURIComponent(code)
}

test('a slow token endpoint holds up nobody whose token is still good', async () => {
  await world.age('access_expires_at', '-100 seconds')
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'delay', ms: 1500, when: 'after' } })
  const slow = await world.startProcess()
  const line = slow.ask()
  await expect.poll(async () => (await world.readRow()).lease_owner, { timeout: 10_000 }).not.toBe(null)
  expect((await world.getToken()).generation).toBe(1)
  expect(toAnswer(await line)).toMatchObject({ generation: 2 })
})
