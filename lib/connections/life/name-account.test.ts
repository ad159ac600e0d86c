import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#lib/audit/model.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { getConnection } from './list-connections.ts'
import { nameAccount } from './name-account.ts'

const BOSS: Actor = { kind: 'operator', name: 'a test' }

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase('both')
  const owner = await seedOrganization(database.query, 'Acme')
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner, 'to be read')
  await database.query('update connection set name = null')
})
afterAll(() => database.drop())

const names = async () => {
  const found = await getConnection(organizationId, connectionId)
  return [found?.name, found?.platformName]
}
/** As a sync does that reads the account's profiles. */
async function sync(legalName: string): Promise<void> {
  const { nameConnection } = await import('#lib/sync/runs/name-connection.ts')
  const profile = { id: 'p', name: legalName, legalName } as never
  await withTenantSql(organizationId, (sql) => nameConnection(sql, organizationId, connectionId, [profile]))
}

test('an own name stands before the platform’s, also when it is given first; without one, the platform’s is shown', async () => {
  await nameAccount(organizationId, connectionId, 'Branch North', BOSS)
  expect(await names()).toEqual(['Branch North', null])
  await sync('Nordlicht GmbH')
  expect(await names()).toEqual(['Branch North', 'Nordlicht GmbH'])
  await nameAccount(organizationId, connectionId, null, BOSS)
  expect(await names()).toEqual(['Nordlicht GmbH', 'Nordlicht GmbH'])
  await nameAccount(organizationId, connectionId, null, BOSS)
  const entries = await database.query('select action, subject_id, before, after from audit_entry order by number')
  expect(entries).toEqual([
    {
      action: 'connection.name',
      subject_id: connectionId,
      before: '{"name":null}',
      after: '{"name":"Branch North"}',
    },
    {
      action: 'connection.name',
      subject_id: connectionId,
      before: '{"name":"Branch North"}',
      after: '{"name":"Nordlicht GmbH"}',
    },
  ])
})

test('A8: an account of another organization keeps its name', async () => {
  const before = await names()
  const other = await seedOrganization(database.query, 'Bolt')
  await nameAccount(other.organizationId, connectionId, 'Ours', BOSS)
  expect(await names()).toEqual(before)
})
