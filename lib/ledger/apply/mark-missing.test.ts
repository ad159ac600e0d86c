import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { applyLines, makeLine, seedConnection, seedOrganization } from '../test-support/seed.ts'
import { countMissing, keyOf } from './mark-missing.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; connectionId: ConnectionId }
let runId: RunId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A connection with the lines a and b, which are older than a complete run. */
beforeEach(async () => {
  const organization = await seedOrganization(database.query)
  const { organizationId } = organization
  owner = { organizationId, connectionId: await seedConnection(database.query, organization) }
  const lines = ['a', 'b'].map((id) => makeLine({ id }))
  await withTenantSql(organizationId, (sql) => applyLines(sql, { ...owner, lines }))
  const [run] = await database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, kind, trigger, status) values ($1, $2, 'verification', 'manual', 'running') returning id`,
    [organizationId, owner.connectionId],
  )
  runId = run?.id as string
})

/** A window of the run that has met these lines, all unchanged. */
async function meet(number: number, ...ids: string[]): Promise<void> {
  const values = [owner.organizationId, runId, number, ids]
  await database.query(
    `insert into sync_window (organization_id, run_id, number, list, state, received, unchanged)
     values ($1, $2, $3, 'lines', 'complete', cardinality($4::text[]), cardinality($4::text[]))`,
    values,
  )
  await database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes)
     select $1::uuid, $2::uuid, $3, 'lines', 1, 0, cardinality($4::text[]), 0, 0, cardinality($4::text[]), 0, 0,
       (select array_agg(${keyOf('id')}) from unnest($4::text[]) as id)`,
    values,
  )
}
const count = () =>
  withTenantSql(owner.organizationId, (sql) =>
    countMissing(sql, 'lines', { ...owner, runId, startedAt: new Date(Date.now() + 1000), scope: { isAll: true } }),
  )

test('F25: nothing is missing when a run has met every line, however its windows share them', async () => {
  await meet(1, 'a')
  await meet(2, 'b')
  expect(await count()).toEqual({ held: 2, missing: 0, totals: [] })
})

test('F25: a line that counts in two windows does not hide one that was not met', async () => {
  await meet(1, 'a')
  await meet(2, 'a')
  expect(await count()).toMatchObject({ held: 2, missing: 1 })
})
