import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import {
  day,
  makeInvoice,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { getTrip, hasTrip } from './get-trip.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ serialNumber: 'INV-1', issuingDate: day('2026-02-10') }),
    makeInvoice({ serialNumber: 'CR-1', issuingDate: day('2026-03-10'), mode: 'credit' }),
  ])
  const line = (id: string, amount: string, own: object) =>
    makeLineOf(amount, {
      id,
      tripId: '7',
      tripName: 'Lisbon',
      invoiceSerialNumber: 'INV-1',
      expenseDate: day('2026-02-01'),
      ...own,
    })
  await seedLines(organizationId, connectionId, [
    line('flight', '310.00', { service: 'flight', relatedVertical: 'flight', travelerNames: ['Ana', 'Bo'] }),
    line('hotel', '200.00', { service: 'hotel', relatedVertical: 'hotel', travelerNames: ['Ana', 'Ana'] }),
    line('seat', '12.50', { service: 'seat', relatedVertical: 'flight', travelerNames: ['Bo'] }),
    line('fee', '5.00', { service: 'pro_v2', relatedVertical: null, travelerNames: [] }),
    line('back', '-310.00', {
      service: 'flight',
      relatedVertical: 'flight',
      travelerNames: ['Ana', 'Bo'],
      invoiceSerialNumber: 'CR-1',
      expenseDate: day('2026-03-01'),
      tripName: 'Lisbon, moved',
    }),
    line('other', '99.00', { tripId: '8' }),
    line('yen', '90000', { tripId: '9', currency: 'JPY', travelerNames: ['Ana'] }),
    line('euro', '5.00', { tripId: '9', travelerNames: ['Bo'] }),
    line('more', '2.00', { tripId: '9', travelerNames: ['Cy'] }),
  ])
  const other = await seedOrganization(database.query, 'Stranger')
  await seedLines(other.organizationId, await seedConnection(database.query, other), [line('theirs', '1.00', {})])
})
afterAll(() => database.drop())

test('a trip comes to its bookings, extras and fees less what was given back, on the line’s own documents', async () => {
  const trip = await getTrip(organizationId, '7')
  expect(trip).toMatchObject({ name: 'Lisbon, moved', lineCount: 5, firstDay: '2026-02-01', lastDay: '2026-03-01' })
  const rows = trip?.cost.rows.map(({ part, vertical, amounts }) => [part, vertical, Number(amounts.EUR)])
  expect(rows).toEqual([
    ['booking', 'flight', 310],
    ['booking', 'hotel', 200],
    ['extra', 'flight', 12.5],
    ['fee', null, 5],
    ['refund', 'flight', -310],
  ])
  expect(Number(trip?.cost.net.EUR)).toBe(217.5)
  expect(trip?.documents.map(({ serialNumber, mode, amounts }) => [serialNumber, mode, Number(amounts.EUR)])).toEqual([
    ['INV-1', expect.anything(), 527.5],
    ['CR-1', 'credit', -310],
  ])
})

test('each traveler of a line has it once, and the page knows that they share some', async () => {
  const trip = await getTrip(organizationId, '7')
  expect(trip?.travelers.map(({ name, lineCount, amounts }) => [name, lineCount, Number(amounts.EUR)])).toEqual([
    ['Ana', 3, 200],
    ['Bo', 3, 12.5],
    [null, 1, 5],
  ])
  expect(trip?.isShared).toBe(true)
})

test('travelers are ordered by the currency of most lines: amounts of two currencies do not compare', async () => {
  const trip = await getTrip(organizationId, '9')
  expect(trip?.travelers.map(({ name }) => name)).toEqual(['Bo', 'Cy', 'Ana'])
})

test('a trip of another organization, or none, is missing', async () => {
  expect(await getTrip(organizationId, 'none')).toBeNull()
  expect(await getTrip(organizationId, '7\0')).toBeNull()
  const stranger = await seedOrganization(database.query)
  expect(await hasTrip(organizationId, '7')).toBe(true)
  expect(await hasTrip(stranger.organizationId, '7')).toBe(false)
  expect(await hasTrip(organizationId, 'none')).toBe(false)
  expect(await hasTrip(organizationId, '7\0')).toBe(false)
})
