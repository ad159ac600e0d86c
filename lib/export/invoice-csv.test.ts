import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { listInvoices } from '#lib/ledger/read/list-invoices.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { CSV_FILES } from './stream-csv.ts'
import { parseCsvRecords, readAll } from './test-support/test-parse-csv.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner, 'Acme')
  const invoice = (serialNumber: string, total: string, change: Parameters<typeof makeInvoice>[0] = {}) =>
    makeInvoice({ serialNumber, total: decimal(total), dueDate: null, ...change })
  await seedInvoices(organizationId, connectionId, [
    invoice('INV-1', '100.00', { issuingDate: day('2026-01-01') }),
    invoice('INV-2', '60.00', { creditUsed: decimal('-40.00'), issuingDate: day('2026-01-02') }),
    invoice('INV-3', '220.00', { issuingDate: day('2026-01-03'), profileName: '=1+1' }),
    invoice('INV-4', '30', { currency: 'JPY', issuingDate: null }),
  ])
  const line = (invoiceSerialNumber: string, currency = 'EUR', amount = '100.00') =>
    makeLineOf(amount, { invoiceSerialNumber, currency })
  await seedLines(organizationId, connectionId, [
    line('INV-1'),
    line('INV-2'),
    line('INV-3'),
    line('INV-4', 'JPY', '30.00000001'),
  ])
})
afterAll(() => database.drop())

const open = (change: Partial<InvoiceQuery> = {}) =>
  CSV_FILES.invoices.stream(
    organizationId,
    { userId: crypto.randomUUID() as UserId, signal: new AbortController().signal },
    { ...DEFAULT_INVOICE_QUERY, ...change },
  )
const read = async (change: Partial<InvoiceQuery> = {}) => parseCsvRecords(await readAll(await open(change)))

test('has every filtered invoice once, in the order of the list, with its tie-out', async () => {
  const rows = await read()
  const listed = await listInvoices(organizationId, DEFAULT_INVOICE_QUERY)
  expect(rows.map((row) => row.serial_number)).toEqual(listed.rows.map(({ serialNumber }) => serialNumber))
  const toTieOut = (row: Record<string, string>) => [
    ...['lines_total', 'credit_used', 'comes_to', 'total', 'residual', 'unexplained'].map(
      (name) => row[name] && Number(row[name]),
    ),
    row.explained_by,
    row.finding_codes,
  ]
  expect(Object.fromEntries(rows.map((row) => [row.serial_number, toTieOut(row)]))).toEqual({
    'INV-1': [100, '', 100, 100, 0, 0, '', ''],
    'INV-2': [100, 40, 60, 60, 0, 0, '', ''],
    'INV-3': [100, '', 100, 220, 120, 120, '', 'total'],
    'INV-4': [30.00000001, '', 30.00000001, 30, -0.00000001, 0, 'rounding', ''],
  })
  expect(rows.find((row) => row.serial_number === 'INV-2')).toMatchObject({
    credit_used_for_customer_payment: '-40.00',
    currency: 'EUR',
    line_count: '1',
    issuing_date: '2026-01-02',
    is_gone: 'false',
    connection_id: connectionId,
    connection_name: 'Acme',
  })
  expect(rows.find((row) => row.serial_number === 'INV-3')?.profile_name).toBe("'=1+1")
})

test('names what the lines of an invoice are beside others', async () => {
  await database.query(
    `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, currency, amount)
     values ($1, $2, 'x', 'refund_without_original', 'INV-3', 'EUR', 5)`,
    [organizationId, connectionId],
  )
  expect((await read({ findings: ['refund_without_original'] })).map((row) => row.finding_codes)).toEqual([
    'total refund_without_original',
  ])
  await database.query('delete from line_comparison')
})

test('takes the query of its page, also filters that ask for the proof', async () => {
  const serials = async (change: Partial<InvoiceQuery>) => (await read(change)).map((row) => row.serial_number)
  expect(await serials({ findings: ['total'] })).toEqual(['INV-3'])
  expect(await serials({ currencies: ['JPY'] })).toEqual(['INV-4'])
  expect(await serials({ credit: true })).toEqual(['INV-2'])
  expect(await serials({ sort: { key: 'serial_number', descending: true }, page: 2 })).toEqual([
    'INV-4',
    'INV-3',
    'INV-2',
    'INV-1',
  ])
})

test('ties out as of the moment it was asked for, whatever a sync changes meanwhile', async () => {
  const file = await open({ text: 'INV-1' })
  await database.query('update line set total_amount = 90, difference = -10 where invoice_serial_number = $1', [
    'INV-1',
  ])
  const [row] = parseCsvRecords(await readAll(file))
  await database.query('update line set total_amount = 100, difference = 0 where invoice_serial_number = $1', ['INV-1'])
  expect(row).toMatchObject({ serial_number: 'INV-1', finding_codes: '' })
  expect(Number(row?.lines_total)).toBe(100)
})
