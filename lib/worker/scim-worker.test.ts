import { afterEach, beforeEach, expect, it } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { getScimStatus } from '#lib/connections/scim/scim-discovery.ts'
import { storeScimKey } from '#lib/connections/tokens/scim-key.ts'
import { parseSettings } from '#lib/env.ts'
import { type SyncWorld, seedSyncWorld } from '#lib/sync/test-support/seed.ts'
import { startWorkerProcess, type WorkerProcess } from './test-support/test-worker-process.ts'

let world: SyncWorld
let worker: WorkerProcess

beforeEach(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  Object.assign(world.environment, { LOG_LEVEL: 'trace', PARTNER_SCIM_BASE_URL: world.partner.scimBaseUrl })
  worker = startWorkerProcess(world)
})
afterEach(async () => {
  worker.kill('SIGKILL')
  await worker.exited
  await world.close()
})

it('A16: a running worker takes a check at once, logs its result but never the key, and ends cleanly on SIGTERM', async () => {
  const { organizationId, userId, sandbox } = world
  const { scimApiKey } = sandbox.settings
  const { connectionId } = await world.connect('meridian')
  const publicKeys = parseSettings(world.environment).tokenPublicKeys
  if (publicKeys === null) throw new Error('the world has no keys')
  await worker.ready
  await storeScimKey(organizationId, connectionId, scimApiKey, { changedBy: personOf(userId), publicKeys })
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  const readStatus = async () => (await getScimStatus(organizationId, connectionId))?.check?.status
  await expect.poll(readStatus, { timeout: 20_000, interval: 50 }).toBe('finished')
  worker.kill('SIGTERM')
  expect(await worker.exited).toBe(0)
  expect(worker.output().match(/scim endpoint asked/g)).toHaveLength(3)
  expect(worker.output()).not.toContain(scimApiKey)
})
