import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { DEFAULT_GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { withMetadata } from '#lib/partner/test-support/test-records.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { fillFieldsBatch } from './fill-fields.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase('worker')
})
afterAll(() => database.drop())

const FIELDS = 'select id, country_code, custom_fields from line order by id'

test('lines that were stored before get what the parser reads of their records, and no version of their own', async () => {
  const owner = await seedOrganization(database.query)
  const connectionId = await seedConnection(database.query, owner)
  const metadata = [
    { service_location: { destination: { country_code: 'PT' } }, custom_fields: [{ name: 'Project', value: 'P-210' }] },
    { service_location: null, custom_fields: null },
    { service_location: { hotel_location: { country_code: 'JP' } }, custom_fields: [{ name: 'A, "b"', value: '{c}' }] },
  ]
  const lines = metadata.map((each, at) => {
    const read = parseLine(withMetadata(each).replace('"line-1"', `"line-${at}"`))
    if (!read.ok) throw new Error(read.reason)
    return makeLine(read.line)
  })
  await seedLines(owner.organizationId, connectionId, lines)
  const stored = await database.query(FIELDS)
  expect(stored.map((row) => row.country_code)).toEqual(['PT', null, 'JP'])
  await database.query('update line set country_code = null, custom_fields = null')
  // until then they are among those without one, as a group and by its filter
  const { organizationId } = owner
  const { rows } = await listGroups(organizationId, { ...DEFAULT_GROUP_QUERY, by: ['custom_field'] })
  expect(rows.map(({ values: [of], lineCount }) => [of?.value, lineCount])).toEqual([[null, 3]])
  expect((await listLines(organizationId, { ...DEFAULT_LINE_QUERY, customFields: [''] })).lineCount).toBe(3)
  const versions = 'select count(*)::int as count from line_version'
  const before = await database.query(versions)
  expect(await fillFieldsBatch(2)).toBe(2)
  expect(await fillFieldsBatch(2)).toBe(1)
  expect(await fillFieldsBatch(2)).toBe(0)
  expect(await database.query(FIELDS)).toEqual(stored)
  expect(await database.query(versions)).toEqual(before)
})
