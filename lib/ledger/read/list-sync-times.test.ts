import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { seedConnection, seedOrganization } from '../test-support/seed.ts'
import { listSyncTimes } from './list-sync-times.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('tells when each of the organization’s own connections was last synced', async () => {
  const owner = await seedOrganization(database.query)
  const stranger = await seedOrganization(database.query, 'Stranger')
  const synced = await seedConnection(database.query, owner)
  await seedConnection(database.query, owner, 'Never synced')
  await seedConnection(database.query, stranger)
  await database.query(
    `insert into sync_run (organization_id, connection_id, trigger, status, requested_at, finished_at)
     values ($1, $2, 'connect', 'succeeded', '2026-03-04T00:00:00Z', '2026-03-04T00:01:00Z'),
            ($1, $2, 'schedule', 'succeeded', '2026-03-05T00:00:00Z', '2026-03-05T00:01:00Z'),
            ($1, $2, 'schedule', 'failed', '2026-03-06T00:00:00Z', '2026-03-06T00:01:00Z'),
            ($1, $2, 'manual', 'running', '2026-03-07T00:00:00Z', null)`,
    [owner.organizationId, synced],
  )
  expect(await listSyncTimes(owner.organizationId)).toEqual(['2026-03-05T00:01:00.000Z', null])
})

test('knows no times for an organization without connections', async () => {
  expect(await listSyncTimes((await seedOrganization(database.query, 'Empty')).organizationId)).toEqual([])
})
