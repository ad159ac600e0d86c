import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { INVOICE_COLUMN_NAMES } from '../query/invoice-columns.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { LINE_COLUMN_NAMES, type LineColumnName } from '../query/line-columns.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { listInvoiceRows } from './list-invoices.ts'
import { listLineRows, listLines } from './list-lines.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
const ids = ['a', 'b~c', 'd']

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner, 'Acme Europe')
  await seedLines(
    organizationId,
    connectionId,
    ids.map((id) => makeLineOf('12.50', { id, travelerNames: ['Ada Lovelace'], labels: ['billable'] })),
  )
})
afterAll(() => database.drop())

const toColumns = <Name extends string>(names: readonly Name[]) =>
  names.map((name) => ({ name, isPinned: false, width: null }))
const readRows = (names: readonly LineColumnName[]) =>
  listLineRows(organizationId, { ...DEFAULT_LINE_QUERY, columns: toColumns(names) })

test('what only some columns show comes with a row only where they are asked for', async () => {
  const [plain] = await readRows([])
  expect(plain).not.toHaveProperty('travelerNames')
  const [chosen] = await readRows(['travelers', 'unit_price', 'connection_name'])
  const asked = { travelerNames: ['Ada Lovelace'], connectionName: 'Acme Europe' }
  expect(chosen).toMatchObject({ ...plain, ...asked })
  expect(chosen).not.toHaveProperty('labels')
  const { rows } = await listLines(organizationId, { ...DEFAULT_LINE_QUERY, columns: toColumns(['labels']) })
  expect(rows[0]).toMatchObject({ labels: ['billable'] })
})

test('every column of lines and invoices can be read, and no record comes with them', async () => {
  const [row] = await readRows(LINE_COLUMN_NAMES)
  expect(row).toMatchObject({ place: null, approvers: [], country: 'PT', customFields: ['Project: P-210'] })
  expect(row).not.toHaveProperty('rawText')
  const columns = toColumns(INVOICE_COLUMN_NAMES)
  expect(await listInvoiceRows(organizationId, { ...DEFAULT_INVOICE_QUERY, columns })).toEqual([])
})

test('single lines are found by their keys, and a text that is no key finds nothing', async () => {
  const find = async (picked: string[]) => {
    const rows = await listLineRows(organizationId, { ...DEFAULT_LINE_QUERY, picked })
    return rows.map(({ id }) => id).sort()
  }
  expect(await find([`${connectionId}~b~c`, `${connectionId}~d`])).toEqual(['b~c', 'd'])
  expect(await find(['nothing', '~a', `${connectionId}~`])).toEqual([])
})
