import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { type SyncWorld, seedSyncWorld } from '#lib/sync/test-support/seed.ts'
import { startWorkerProcess, type WorkerProcess } from './test-support/test-worker-process.ts'

let world: SyncWorld
let worker: WorkerProcess | undefined

beforeAll(async () => {
  world = await seedSyncWorld()
})
afterEach(async () => {
  worker?.kill('SIGKILL')
  await worker?.exited
})
afterAll(() => world.close())

test('the worker as it is built shows what waits on its port for metrics', async () => {
  const port = await findFreePort()
  await world.connect('nordlicht')
  worker = startWorkerProcess({
    ...world,
    environment: { ...world.environment, WORKER_METRICS_PORT: String(port) },
  })
  const begun = await Promise.race([worker.ready.then(() => 'ready'), worker.exited])
  expect(begun, worker.output()).toBe('ready')
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(reply.status).toBe(200)
  const lines = (await reply.text()).split('\n')
  expect(lines).toContain('tieout_connections{state="active"} 1')
  expect(lines.filter((line) => /^tieout_(sync_longest_wait_seconds|sync_overdue_seconds) \d/.test(line))).toHaveLength(
    2,
  )
})
