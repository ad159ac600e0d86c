import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { DEFAULT_GROUP_QUERY } from '../../query/group-query.ts'
import { DEFAULT_LINE_QUERY, type LineQuery } from '../../query/line-query.ts'
import { listFilterOptions } from '../../read/choices/list-filter-options.ts'
import { searchFilterOptions } from '../../read/choices/search-filter-options.ts'
import { listGroups } from '../../read/list-groups.ts'
import { listLines } from '../../read/list-lines.ts'
import { makeLineOf, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import { compareFigures } from '../compare-figures.ts'
import { setFoldsNames } from './fold-names.ts'

const PLAIN = 'R\u00e9gion Ouest'
const SPELLINGS = [PLAIN, 'Re\u0301gion Ouest', `${PLAIN} `, 'R\u00e9gion\u00a0Ouest', 'R\u00e9gion\u200b Ouest']

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedLines(organizationId, connectionId, [
    ...SPELLINGS.map((costCenter, at) =>
      makeLineOf('10.00', {
        id: `line-${at}`,
        costCenter,
        vendorName: `Adler${at % 2 === 0 ? '' : '\u00ad'}`,
        travelerNames: at === 0 ? ['Ana S\u00e1', 'Ana Sa\u0301'] : ['Ana Sa\u0301 '],
      }),
    ),
    makeLineOf('1.00', { id: 'other', costCenter: 'r\u00e9gion ouest', vendorName: 'Berg', travelerNames: [] }),
    makeLineOf('2.00', { id: 'none', costCenter: '\u200b', vendorName: null, travelerNames: [] }),
  ])
})
afterAll(() => database.drop())

const groupsOf = async (key: 'cost_center' | 'vendor' | 'traveler', foldsNames: boolean) => {
  const { rows } = await listGroups(organizationId, { ...DEFAULT_GROUP_QUERY, by: [key], foldsNames })
  return rows.map(({ values: [of], lineCount }) => [of?.value, lineCount])
}
const countLines = async (filters: Partial<LineQuery>) =>
  (await listLines(organizationId, { ...DEFAULT_LINE_QUERY, ...filters })).lineCount

test('names that look alike are one group with all their lines, each line once, and five without the setting', async () => {
  expect(await groupsOf('cost_center', true)).toEqual([
    [PLAIN, 5],
    ['r\u00e9gion ouest', 1],
    [null, 1],
  ])
  expect(await groupsOf('traveler', true)).toEqual([
    ['Ana S\u00e1', 5],
    [null, 2],
  ])
  expect(await groupsOf('cost_center', false)).toHaveLength(7)
})

test('a filter by one spelling finds the lines of all, and of that one alone without the setting', async () => {
  for (const spelling of SPELLINGS) {
    expect(await countLines({ costCenters: [spelling], foldsNames: true })).toBe(5)
    expect(await countLines({ costCenters: [spelling] })).toBe(1)
  }
  expect(await countLines({ vendors: ['Adler'], foldsNames: true })).toBe(5)
  expect(await countLines({ travelers: ['Ana S\u00e1'], vendors: ['Adler'], foldsNames: true })).toBe(5)
  expect(await countLines({ costCenters: [''], foldsNames: true })).toBe(1)
})

test('choices have each look once, whether they are listed or searched', async () => {
  const reader = { organizationId, foldsNames: true }
  const { costCenters } = await listFilterOptions(reader)
  expect(costCenters.map(({ value }) => value)).toEqual(expect.arrayContaining([PLAIN, 'r\u00e9gion ouest']))
  expect(costCenters.filter(({ value }) => value !== null)).toHaveLength(2)
  const found = async (filter: 'costCenters' | 'vendors' | 'travelers', text: string) =>
    (await searchFilterOptions(reader, filter, text, 20)).map(({ value }) => value)
  expect(await found('costCenters', 'ouest')).toEqual([PLAIN, 'r\u00e9gion ouest'])
  expect(await found('vendors', 'adl')).toEqual(['Adler'])
  expect(await found('travelers', 'ana')).toEqual(['Ana S\u00e1'])
})

test('to turn folding on notes the names of lines that came before, and the doctor names one that is missing', async () => {
  const noted = () =>
    database.query('select name, look from name_look where organization_id = $1 order by 1', [organizationId])
  const bySync = await noted()
  expect(bySync.length).toBeGreaterThan(6)
  await database.query('delete from name_look where organization_id = $1', [organizationId])
  await setFoldsNames(organizationId, true, { kind: 'operator', name: 'somebody' })
  expect(await noted()).toEqual(bySync)
  const missing = async () =>
    (await compareFigures(organizationId, connectionId)).filter(({ name }) => name === 'looks of names')
  expect(await missing()).toEqual([])
  await database.query('delete from name_look where organization_id = $1 and name = $2', [organizationId, SPELLINGS[4]])
  expect((await missing()).map(({ key }) => key)).toEqual([SPELLINGS[4]])
})
