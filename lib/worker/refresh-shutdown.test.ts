import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import {
  type RefreshWorld,
  startRefreshWorld,
  TOKEN_ENDPOINT,
} from '#lib/connections/test-support/test-refresh-world.ts'
import { listSpooled } from '#lib/connections/tokens/spool.ts'
import { startWorkerProcess, type WorkerProcess } from './test-support/test-worker-process.ts'

let world: RefreshWorld
let workers: WorkerProcess[] = []

beforeAll(async () => {
  world = await startRefreshWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL')
    await worker.exited
  }
  workers = []
  await world.renew()
})
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

function start(): WorkerProcess {
  const environment = { ...world.environment, SPOOL_DIR: process.env.SPOOL_DIR ?? '' }
  const worker = startWorkerProcess({ ...world, environment })
  workers.push(worker)
  return worker
}
const isAsked = () => world.sandbox.state().oauth.summary().tokenCalls.refresh_token?.success === 1
const lastRun = async () =>
  (await world.database.query('select status from sync_run order by requested_at desc limit 1'))[0]

test('F9: SIGTERM during a refresh stores its answer, leaves no doubt, and the next worker takes over', async () => {
  await world.age()
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'delay', ms: 2000, when: 'after' } })
  const first = start()
  await expect.poll(isAsked, { timeout: 20_000 }).toBe(true)
  expect((await world.readRow()).outcomes).toEqual([null])
  first.kill('SIGTERM')
  const second = start() // a rolling deploy: the next one is already there
  expect(await first.exited).toBe(0)
  expect(await world.readRow()).toMatchObject({
    state: 'active',
    generation: 2,
    lease_owner: null,
    outcomes: ['renewed'],
  })
  await expect.poll(lastRun, { timeout: 30_000 }).toEqual({ status: 'succeeded' })
  expect(world.refreshes()).toEqual({ success: 1 })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})

test('F5: a starting worker first stores what a killed one had spooled', async () => {
  await world.age()
  const doomed = await world.startProcess(['--failpoint=after-spool=kill'])
  void doomed.ask()
  expect(await doomed.exited).toBe('SIGKILL')
  expect(await listSpooled()).toHaveLength(1)
  await start().ready
  expect(await world.readRow()).toMatchObject({ state: 'active', generation: 2, outcomes: ['renewed'] })
  expect(await listSpooled()).toEqual([])
  expect(world.refreshes()).toEqual({ success: 1 })
})

test('F14, F18: a running worker keeps idle connections alive, and stores a canary that later ones must open', async () => {
  await world.database.query(
    `update connection_credential set obtained_at = now() - interval '11 days', access_expires_at = now() - interval '11 days',
       refresh_expires_at = now() + interval '19 days'`,
  )
  await world.database.query(`delete from sync_run`)
  const worker = start()
  await worker.ready
  await expect.poll(async () => (await world.readRow()).generation, { timeout: 20_000 }).toBe(2)
  const { generateTokenKeys } = await import('#lib/connections/tokens/vault.ts')
  const other = await generateTokenKeys()
  const lost = startWorkerProcess({
    ...world,
    environment: {
      ...world.environment,
      TOKEN_PUBLIC_KEYS: JSON.stringify(other.publicKeys),
      TOKEN_PRIVATE_KEYS: JSON.stringify(other.privateKeys),
    },
  })
  workers.push(lost)
  expect(await lost.exited).toBe(1)
  expect(lost.output()).toContain('A key is lost')
  await requestSync(world.organizationId, world.connectionId, {
    trigger: 'manual',
    requestedBy: personOf(world.userId),
  })
  await expect.poll(lastRun, { timeout: 30_000 }).toEqual({ status: 'succeeded' })
})
