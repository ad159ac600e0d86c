import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-database.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { explainStoredBatch } from './explain-stored.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase('worker')
})
afterAll(() => database.drop())

const readAll = () =>
  database.query(
    `select organization_id, id, explained_codes, reason_codes, finding_codes, difference::text, changed_at, proof_version
     from line order by organization_id, id`,
  )

test('finds the reasons of findings stored without them, for every organization, and changes nothing else', async () => {
  for (const name of ['Acme', 'Beta']) {
    const organization = await seedOrganization(database.query, name)
    await seedLines(organization.organizationId, await seedConnection(database.query, organization), [
      makeLine({ id: 'right' }),
      makeLine({ id: 'wrong', totalAmount: decimal('191.00') }),
      makeLine({ id: 'gross', unitPrice: decimal('119.00') }),
      makeLine({ id: 'cut', unitPrice: decimal('88.88'), taxAmount: decimal('16.88'), totalAmount: decimal('105.76') }),
    ])
  }
  const explained = await readAll()
  expect(explained.filter(({ reason_codes }) => reason_codes !== null)).toHaveLength(6)
  const [{ summary: rollUps } = {}] = await database.query(`select json_agg(r) as summary from line_rollup r`)
  await database.query('update line set explained_codes = null, reason_codes = null')

  expect(await explainStoredBatch(4)).toBe(4)
  expect(await explainStoredBatch(4)).toBe(2)
  expect(await explainStoredBatch(4)).toBe(0)
  expect(await readAll()).toEqual(explained)
  expect(await database.query('select json_agg(r) as summary from line_rollup r')).toEqual([{ summary: rollUps }])
  expect(await database.query('select from line_version')).toEqual([])
})
