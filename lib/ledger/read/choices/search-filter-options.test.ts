import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { noteInvoiceWords } from '../../kept/invoice-words/note-invoice-words.ts'
import { DEFAULT_LINE_QUERY } from '../../query/line-query.ts'
import { day, makeLineOf, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import { listLines } from '../list-lines.ts'
import { type SearchedFilter, searchFilterOptions } from './search-filter-options.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  const line = (at: number, own: object) => makeLineOf('5.00', { id: `line-${at}`, ...own })
  await seedLines(organizationId, connectionId, [
    line(1, {
      tripId: '10223',
      tripName: 'Berlin offsite',
      vendorName: 'H\u00f4tel R\u00e9gence',
      travelerNames: ['Jos\u00e9 N\u00fa\u00f1ez', 'Bo Berg'],
      costCenter: 'R\u00e9gion Ouest',
      expenseDate: day('2026-02-01'),
    }),
    line(2, {
      tripId: '20000',
      tripName: 'Zurich',
      vendorName: 'Adler Hotel',
      travelerNames: ['Bo Berg'],
      costCenter: 'Sales',
      expenseDate: day('2026-03-01'),
    }),
    line(3, { tripId: null, tripName: null, vendorName: 'Adler Hotel', travelerNames: [], costCenter: null }),
  ])
  const other = await seedOrganization(database.query, 'Stranger')
  await seedLines(other.organizationId, await seedConnection(database.query, other), [
    line(9, {
      tripId: '777',
      tripName: 'Adler',
      vendorName: 'Adler theirs',
      travelerNames: ['Berg'],
      costCenter: 'Adler',
    }),
  ])
})
afterAll(() => database.drop())

const find = async (filter: SearchedFilter, text: string, most = 20) =>
  (await searchFilterOptions({ organizationId, foldsNames: false }, filter, text, most)).map(
    ({ value, name }) => name ?? value,
  )

test.each<[SearchedFilter, string, string[]]>([
  ['trips', '', ['Zurich', 'Berlin offsite']],
  ['trips', 'zUR', ['Zurich']],
  ['trips', '1022', ['Berlin offsite']],
  ['trips', 'offsite ber', ['Berlin offsite']],
  ['vendors', '', ['Adler Hotel', 'H\u00f4tel R\u00e9gence']],
  ['vendors', 'hotel', ['Adler Hotel', 'H\u00f4tel R\u00e9gence']],
  ['vendors', 'hotel reg', ['H\u00f4tel R\u00e9gence']],
  ['travelers', '', ['Bo Berg', 'Jos\u00e9 N\u00fa\u00f1ez']],
  ['travelers', 'nunez', ['Jos\u00e9 N\u00fa\u00f1ez']],
  ['costCenters', 'region', ['R\u00e9gion Ouest']],
  ['costCenters', '', ['R\u00e9gion Ouest', 'Sales']],
])(
  'finds %s that have %j, those of no other organization, and without and with notes',
  async (filter, text, expected) => {
    await database.query('delete from invoice_words')
    expect(await find(filter, text)).toEqual(expected)
    await noteInvoiceWords({ organizationId, connectionId })
    expect(await find(filter, text)).toEqual(expected)
    expect(await find(filter, text, 1)).toEqual(expected.slice(0, 1))
  },
)

test.each<SearchedFilter>(['trips', 'vendors', 'travelers', 'costCenters'])(
  'finds no %s by a pattern',
  async (filter) => {
    for (const text of ['%', '_', 'nowhere', '\\', '\0nope', '"', '>1']) expect(await find(filter, text)).toEqual([])
  },
)

test('lists the lines of chosen vendors and travelers, and those without', async () => {
  const ids = async (filters: object) =>
    (await listLines(organizationId, { ...DEFAULT_LINE_QUERY, ...filters })).rows.map(({ id }) => id).sort()
  for (const isNoted of [false, true]) {
    if (isNoted) await noteInvoiceWords({ organizationId, connectionId })
    else await database.query('delete from invoice_words')
    expect(await ids({ vendors: ['Adler Hotel'] })).toEqual(['line-2', 'line-3'])
    expect(await ids({ vendors: ['adler hotel'] })).toEqual([])
    expect(await ids({ travelers: ['Jos\u00e9 N\u00fa\u00f1ez', 'Tove'] })).toEqual(['line-1'])
    expect(await ids({ travelers: ['Bo Berg'] })).toEqual(['line-1', 'line-2'])
    expect(await ids({ travelers: [''] })).toEqual(['line-3'])
    expect(await ids({ travelers: ['', 'Jos\u00e9 N\u00fa\u00f1ez'], vendors: ['Adler Hotel'] })).toEqual(['line-3'])
  }
})
