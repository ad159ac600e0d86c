import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { applyLines, day, decimal, makeLine, seedConnection, seedOrganization } from '../../test-support/seed.ts'
import { compareFigures } from '../compare-figures.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
})

/** Each list of changes is what one transaction sends of line `a`, one page after the other. */
async function send(...changes: Partial<LineRecord>[]) {
  await withTenantSql(organizationId, async (sql) => {
    for (const change of changes)
      await applyLines(sql, { organizationId, connectionId, lines: [makeLine({ id: 'a', ...change })] })
  })
}

const readSums = () =>
  database.query(
    `select currency, profile_id as profile, issuing_month::text as issued, line_count::int as count, total_amount::text as total,
            below_count::int as below, below_amount::text as "belowTotal"
     from arrival_sum where organization_id = $1 order by 1, 2, 3`,
    [organizationId],
  )

async function expectRight() {
  expect((await compareFigures(organizationId, connectionId)).filter(({ name }) => name === 'arrival sum')).toEqual([])
}

test('a line counts as it came, whatever became of it', async () => {
  await send({ totalAmount: decimal('-7.50'), issuingDate: day('2026-03-31'), profileId: 'P1' })
  const came = [
    { currency: 'EUR', profile: 'P1', issued: '2026-03-01', count: 1, total: '-7.50', below: 1, belowTotal: '-7.50' },
  ]
  expect(await readSums()).toEqual(came)
  await send({ totalAmount: decimal('80.00'), issuingDate: day('2026-04-30'), profileId: 'P2', currency: 'USD' })
  await database.query('update line set missing_since = now() where organization_id = $1', [organizationId])
  expect(await readSums()).toEqual(came)
  await expectRight()
})

test('a line that changes within the transaction that brought it came as it is at its end', async () => {
  await send(
    { totalAmount: decimal('-7.50'), profileId: 'P1' },
    { totalAmount: decimal('12.00'), profileId: null, issuingDate: null },
  )
  expect(await readSums()).toEqual([
    { currency: 'EUR', profile: null, issued: null, count: 1, total: '12.00', below: 0, belowTotal: '0' },
  ])
  await expectRight()
})

test('lines of one cell add up, and a doctor notices a sum that is off', async () => {
  await send({ id: 'a', totalAmount: decimal('10.00') }, { id: 'b', totalAmount: decimal('-4.00') })
  expect(await readSums()).toMatchObject([{ count: 2, total: '6.00', below: 1, belowTotal: '-4.00' }])
  await expectRight()
  await database.query('update arrival_sum set total_amount = total_amount + 1 where organization_id = $1', [
    organizationId,
  ])
  expect((await compareFigures(organizationId, connectionId)).map(({ name }) => name)).toEqual(['arrival sum'])
})

test('a line that is deleted takes back what it came as, and the last one everything', async () => {
  await send({ totalAmount: decimal('-7.50') }, { id: 'b', totalAmount: decimal('4.00') })
  await send({ totalAmount: decimal('80.00') })
  await database.query(`delete from line where organization_id = $1 and id = 'a'`, [organizationId])
  expect(await readSums()).toMatchObject([{ count: 1, total: '4.00', below: 0, belowTotal: '0.00' }])
  await expectRight()
  await database.query(`delete from line where organization_id = $1`, [organizationId])
  expect(await readSums()).toEqual([])
})
