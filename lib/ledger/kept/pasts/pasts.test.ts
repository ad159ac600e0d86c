import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import {
  applyLines,
  day,
  decimal,
  makeLine,
  seedConnection,
  seedLines,
  seedOrganization,
} from '../../test-support/seed.ts'
import { compareFigures, isHistory, repairFigures } from '../compare-figures.ts'

const FILLED = readFileSync(
  join(import.meta.dirname, '../../../../prisma/migrations/20261128130000_moments/migration.sql'),
  'utf8',
)

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

/** A line with the record that says the same. */
function send(change: Partial<LineRecord> = {}, raw?: (record: Record<string, unknown>) => string) {
  const line = makeLine({ id: 'a', ...change })
  const record = {
    total_amount: line.totalAmount,
    issuing_date: line.issuingDate,
    expense_date: line.expenseDate,
    profile_id: line.profileId,
    metadata: { cost_center: line.costCenter, trip_id: line.tripId },
  }
  const text = raw === undefined ? JSON.stringify(record) : raw(record)
  return seedLines(organizationId, connectionId, [makeLine({ ...line, raw: text, contentHash: text })])
}

const readPasts = () =>
  database.query(
    `select line_id, until, run_id, is_gone, currency, total_amount::text as total, issuing_date::text as issued,
            expense_date::text as spent, profile_id, cost_center, trip_id
     from line_past where organization_id = $1 order by id`,
    [organizationId],
  )

/** Forgets what the trigger kept, and takes what the migration makes of the versions. */
async function fillAgain() {
  const fill = FILLED.slice(FILLED.indexOf('INSERT INTO line_past'))
  await database.query('delete from line_past where organization_id = $1', [organizationId])
  await database.query(`set tieout.scope = 'system'`)
  await database.query(
    fill
      .replace('FROM line_version v', `FROM (SELECT * FROM line_version WHERE organization_id = '${organizationId}') v`)
      .replace('FROM line WHERE', `FROM line WHERE organization_id = '${organizationId}' AND`),
  )
}

test('a line was there until the moment that it says it was gone, whichever clock told that', async () => {
  await send()
  // on a cluster the moment that is written is the coordinator’s, and not the trigger's node's
  await database.query(`update line set missing_since = now() - interval '7 milliseconds' where organization_id = $1`, [
    organizationId,
  ])
  const [line] = await database.query('select missing_since from line where organization_id = $1', [organizationId])
  expect(await readPasts()).toMatchObject([{ line_id: 'a', is_gone: false, until: line?.missing_since }])
})

test('a past is kept of each change that a bridge tells, and of no other', async () => {
  await send()
  expect(await readPasts()).toEqual([])
  await send({ description: 'Another name', invoiceStatus: 'unpaid', labels: ['x'] })
  expect(await readPasts()).toEqual([])
  await send({ totalAmount: decimal('120.00') })
  await send({ totalAmount: decimal('120.00'), costCenter: '4200' })
  await send({ totalAmount: decimal('120.00'), costCenter: '4200', tripId: null, issuingDate: null })
  expect(await readPasts()).toMatchObject([
    { total: '119.00', cost_center: '4100', trip_id: '10223', issued: '2026-03-31', is_gone: false },
    { total: '120.00', cost_center: '4100', trip_id: '10223' },
    { total: '120.00', cost_center: '4200', trip_id: '10223', issued: '2026-03-31' },
  ])
})

test('what a line was within the transaction that brought it, it never was', async () => {
  await withTenantSql(organizationId, async (sql) => {
    const owner = { organizationId, connectionId }
    await applyLines(sql, { ...owner, lines: [makeLine({ id: 'a' })] })
    await applyLines(sql, { ...owner, lines: [makeLine({ id: 'a', totalAmount: decimal('1.00') })] })
  })
  expect(await readPasts()).toEqual([])
})

test('the migration makes of earlier versions what would have been kept of them', async () => {
  await send()
  await send({ totalAmount: decimal('120.00'), currency: 'USD' })
  await send({ costCenter: null, tripId: '7', profileId: null })
  await send({ issuingDate: null, expenseDate: day('2026-02-28') })
  await database.query('update line set missing_since = now() where organization_id = $1', [organizationId])
  const kept = await readPasts()
  expect(kept).toHaveLength(4)
  await fillAgain()
  expect(await readPasts()).toEqual(kept)
})

test('the migration reads no day where none is, and stops at no text', async () => {
  await send({}, (record) =>
    JSON.stringify({ ...record, issuing_date: '2026-02-30', expense_date: 'soon', metadata: 7 }),
  )
  await send({ totalAmount: decimal('1.00') }, (record) =>
    JSON.stringify({ ...record, profile_id: 'half' }).replace('half', '\\ud800\\u0000'),
  )
  await send({ totalAmount: decimal('2.00'), costCenter: '4200' })
  await fillAgain()
  expect(await readPasts()).toMatchObject([
    { total: '119.00', issued: null, spent: '2026-03-04', cost_center: null, trip_id: null },
    // what its record says cannot be read: what the line says now
    { total: '1.00', profile_id: 'profile-1', cost_center: '4200', issued: '2026-03-31' },
  ])
})

test('a doctor names a past that is missing or another one, and a repair leaves it', async () => {
  await send()
  await send({ totalAmount: decimal('120.00') })
  await send({ costCenter: '4200', totalAmount: decimal('120.00') })
  await send({ totalAmount: decimal('121.00'), currency: 'USD' })
  await database.query('update line set missing_since = now() where organization_id = $1', [organizationId])
  const compare = async () => (await compareFigures(organizationId, connectionId)).filter(isHistory)
  expect(await compare()).toEqual([])
  await database.query(`update line_past set total_amount = 7 where organization_id = $1 and total_amount = 119`, [
    organizationId,
  ])
  await database.query(`delete from line_past where organization_id = $1 and currency = 'USD'`, [organizationId])
  const found = await compare()
  expect(found).toMatchObject([
    { name: 'pasts of lines', kept: null, computed: 'kept' },
    { name: 'pasts of lines', kept: null, computed: 'kept' },
  ])
  expect(found.map(({ key }) => key).join()).toMatch(/"EUR", 119\b.*"USD", 121\b|"USD", 121\b.*"EUR", 119\b/)
  await repairFigures(organizationId, connectionId, { kind: 'operator', name: 'doctor' }, found)
  expect(await compare()).toEqual(found)
})
