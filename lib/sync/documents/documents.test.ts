import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { askForDocument, claimDocument, type WantedDocument } from './document-wishes.ts'
import { fetchWishedDocuments } from './fetch-documents.ts'

let world: SyncWorld
let connectionId: ConnectionId
let serialNumber: string
let wanted: WantedDocument
const never = new AbortController().signal

beforeAll(async () => {
  world = await seedSyncWorld()
  connectionId = (await world.connect('meridian')).connectionId
  await syncNow(world, connectionId)
  const [invoice] = await world.database.query<{ serial_number: string }>(
    'select serial_number from invoice order by serial_number limit 1',
  )
  serialNumber = invoice?.serial_number as string
  const { organizationId, userId } = world
  wanted = { organizationId, connectionId, serialNumber, actor: personOf(userId) }
})
afterAll(() => world.close())
beforeEach(() => world.sandbox.state().faults.clear())

/** Asks, and answers as a worker does; resolves when nothing is left to answer. */
async function ask(change: Partial<WantedDocument> = {}) {
  const asked = askForDocument({ ...wanted, ...change }, never, 5000)
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  asked.then(settle, settle)
  await expect.poll(async () => isSettled || (await countWishes()) > 0, { timeout: 5000 }).toBe(true)
  await fetchWishedDocuments(world.partner, never)
  return asked
}

async function countWishes(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>('select count(*)::int as count from document_wish')
  return row?.count ?? 0
}

test('brings the platform’s own document of an invoice, and keeps nothing of it', async () => {
  const asked = await ask()
  expect('content' in asked && asked.content.toString('latin1')).toMatch(
    new RegExp(`^%PDF-.*Invoice ${serialNumber}`, 's'),
  )
  expect(await countWishes()).toBe(0)
})

test('renews a refused token once, and brings the document', async () => {
  world.sandbox.state().faults.add({
    match: { path: `/api/v1/invoices/${serialNumber}/pdf` },
    times: 1,
    action: { type: 'status', status: 401, when: 'before' },
  })
  expect(await ask()).toHaveProperty('content')
})

test.each([
  [404, 'none'],
  [403, 'forbidden'],
  [500, 'unreachable'],
] as const)('says what kept the document away when the platform answers %i: %s', async (status, failure) => {
  world.sandbox.state().faults.add({
    match: { path: `/api/v1/invoices/${serialNumber}/pdf` },
    times: 0,
    action: { type: 'status', status, when: 'before' },
  })
  expect(await ask()).toEqual({ failure })
  expect(await countWishes()).toBe(0)
})

test('A8: an invoice of another organization is unknown, and the platform is not asked', async () => {
  const other = await seedOrganization(world.database.query, 'Elsewhere')
  world.sandbox.state().calls.clear()
  expect(await ask({ organizationId: other.organizationId })).toEqual({ failure: 'unknown' })
  expect(world.sandbox.state().calls.count()).toBe(0)
})

test('a person who goes away, or waits for too long, leaves no wish behind', async () => {
  const gone = new AbortController()
  const asked = askForDocument(wanted, gone.signal)
  await expect.poll(countWishes).toBe(1)
  gone.abort()
  expect(await asked).toEqual({ failure: 'late' })
  expect(await countWishes()).toBe(0)
  expect(await askForDocument(wanted, never, 1)).toEqual({ failure: 'late' })
  expect(await countWishes()).toBe(0)
})

test('A18: only so many documents are under way at a time, and forgotten wishes do not count', async () => {
  const { organizationId, userId } = world
  const insert = (at: string) =>
    world.database.query(
      `insert into document_wish (organization_id, connection_id, invoice_serial_number, requested_by, requested_at)
       select $1, $2, $3, $4, ${at} from generate_series(1, 5)`,
      [organizationId, connectionId, serialNumber, userId],
    )
  await insert(`now() - interval '3 minutes'`)
  expect(await askForDocument(wanted, never, 1)).toEqual({ failure: 'late' })
  await insert('now()')
  expect(await askForDocument(wanted, never, 1)).toEqual({ failure: 'busy' })
  // a claim removes what nobody waits for
  while ((await claimDocument()) !== null);
  expect(await countWishes()).toBe(5)
  await world.database.query('delete from document_wish')
})
