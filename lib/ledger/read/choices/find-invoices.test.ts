import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { day, makeInvoice, seedConnection, seedInvoices, seedOrganization } from '../../test-support/seed.ts'
import { findInvoices } from './find-invoices.ts'

let database: TestDatabase
let organizationId: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  const connectionId = await seedConnection(database.query, owner)
  const invoice = (serialNumber: string, issuingDate: string, profileName: string) =>
    makeInvoice({ serialNumber, issuingDate: day(issuingDate), profileName })
  await seedInvoices(organizationId, connectionId, [
    invoice('INV-01-2026-000014', '2026-02-01', 'Nordlicht Zürich'),
    invoice('INV-01-2026-000140', '2026-03-01', 'Nordlicht GmbH'),
    invoice('CR-01-2026-000002', '2026-01-01', 'Nordlicht Zürich'),
  ])
  const other = await seedOrganization(database.query, 'Stranger')
  await seedInvoices(other.organizationId, await seedConnection(database.query, other), [
    invoice('INV-01-2026-000014', '2026-04-01', 'Theirs'),
  ])
})
afterAll(() => database.drop())

test.each<[string, string[]]>([
  ['inv-01-2026-000014', ['INV-01-2026-000014']],
  ['INV012026000140', ['INV-01-2026-000140']],
  ['zurich 2026', ['INV-01-2026-000014', 'CR-01-2026-000002']],
  ['theirs', []],
  ['100%_', []],
])('%j finds the invoices that have each of its words, the latest first', async (typed, serialNumbers) => {
  const found = await findInvoices(organizationId, typed, 4)
  expect(found.map(({ serialNumber }) => serialNumber)).toEqual(serialNumbers)
})

test('no more invoices are found than were asked for', async () => {
  expect(await findInvoices(organizationId, '2026', 2)).toHaveLength(2)
})
