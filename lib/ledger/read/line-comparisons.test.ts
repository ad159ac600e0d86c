import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { InvoiceFindingCode } from '#lib/reconcile/invoice-finding.ts'
import { compareLines } from '../kept/comparisons/compare-lines.ts'
import { notePlainInvoices } from '../kept/plain-invoices/note-plain-invoices.ts'
import { surveyCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { getInvoice } from './get-invoice.ts'
import { listInvoices } from './list-invoices.ts'
import { readTieOut } from './tie-out.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

/** Lines by id, invoice, currency, amount and description; INV-2 repeats two lines of INV-1. */
const LINES: [id: string, invoice: string, currency: string, amount: string, description: string][] = [
  ['1', 'INV-1', 'EUR', '84.00', 'Hotel'],
  ['2', 'INV-1', 'EUR', '10.50', 'Seat'],
  ['3', 'INV-2', 'EUR', '84.00', 'Hotel'],
  ['4', 'INV-2', 'EUR', '10.50', 'Seat'],
  ['5', 'INV-3', 'JPY', '-1200', 'Refund'],
  ['6', 'INV-4', 'GBP', '5.00', 'Bag'],
  ['7', 'INV-5', 'GBP', '5.00', 'Bag'],
]

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  const issuingDate = (invoice: string) => day(`2026-0${invoice.slice(-1)}-15`)
  await seedLines(
    organizationId,
    connectionId,
    LINES.map(([id, invoiceSerialNumber, currency, amount, description]) =>
      makeLineOf(amount, {
        id,
        invoiceSerialNumber,
        currency,
        description,
        issuingDate: issuingDate(invoiceSerialNumber),
      }),
    ),
  )
  // INV-5 is in another currency than its line
  const totals = { 'INV-1': '94.50', 'INV-2': '94.50', 'INV-3': '-1200', 'INV-4': '5.00', 'INV-5': '5.00' }
  const currencies: Record<string, string> = { 'INV-3': 'JPY', 'INV-4': 'GBP', 'INV-5': 'CHF' }
  await seedInvoices(
    organizationId,
    connectionId,
    Object.entries(totals).map(([serialNumber, total]) =>
      makeInvoice({
        serialNumber,
        currency: currencies[serialNumber] ?? 'EUR',
        total: decimal(total),
        dueDate: null,
        issuingDate: issuingDate(serialNumber),
      }),
    ),
  )
  const account = { organizationId, connectionId }
  await compareLines(account)
  await notePlainInvoices(account)
})
afterAll(() => database.drop())

const filter = async (findings: InvoiceFindingCode[]) => {
  const { rows } = await listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, findings })
  return rows.map(({ serialNumber }) => serialNumber)
}

test('an invoice is found by what its lines are beside others, with the money in question', async () => {
  expect(await filter(['duplicate_line'])).toEqual(['INV-5', 'INV-2'])
  expect(await filter(['refund_without_original'])).toEqual(['INV-3'])
  expect(await filter(['refund_above_original'])).toEqual([])
  const { rows } = await listInvoices(organizationId, DEFAULT_INVOICE_QUERY)
  const findings = rows.map(({ serialNumber, check }) => [serialNumber, check.verdict, check.findings])
  expect(findings.slice(1)).toEqual([
    ['INV-4', 'complete', []],
    ['INV-3', 'complete', [{ code: 'refund_without_original', amount: '1200' }]],
    ['INV-2', 'complete', [{ code: 'duplicate_line', amount: '94.50' }]],
    ['INV-1', 'complete', []],
  ])
  // no sum spans currencies
  expect(rows[0]?.check.findings).toContainEqual({ code: 'duplicate_line', amount: null })
})

test('overview counts the invoices of each finding and sums its money per currency, and no total changes', async () => {
  const { findings, currencies } = await withTenantSql(organizationId, async (sql) =>
    readTieOut(sql, organizationId, await surveyCompleteness(sql, organizationId, {})),
  )
  expect(findings).toContainEqual({
    shrunk: [],
    code: 'duplicate_line',
    invoiceCount: 2,
    sums: [{ currency: 'EUR', amount: '94.50' }],
  })
  expect(findings).toContainEqual({
    shrunk: [],
    code: 'refund_without_original',
    invoiceCount: 1,
    sums: [{ currency: 'JPY', amount: '1200' }],
  })
  expect(currencies.find(({ currency }) => currency === 'EUR')).toMatchObject({
    lines: { count: 4, amount: '189.00' },
    invoices: { count: 2, amount: '189.00' },
    difference: '0.00',
  })
})

test('an invoice lists such lines with the way to the others, the largest first', async () => {
  const invoice = await getInvoice(organizationId, connectionId, 'INV-2')
  expect(invoice?.comparedLines.map(({ id, amount, other }) => [id, amount, other])).toEqual([
    ['3', '84.00', { id: '1', invoiceSerialNumber: 'INV-1' }],
    ['4', '10.50', { id: '2', invoiceSerialNumber: 'INV-1' }],
  ])
  expect((await getInvoice(organizationId, connectionId, 'INV-1'))?.comparedLines).toEqual([])
})
