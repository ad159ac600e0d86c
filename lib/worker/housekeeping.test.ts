import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { keepHouse } from './housekeeping.ts'
import { repeatWork } from './repeated-work.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** An old run of two pages and an old attempt, each followed by a younger one that stays. */
beforeEach(async () => {
  await database.query('delete from connection')
  const owner = await seedOrganization(database.query, 'Acme')
  const connectionId = await seedConnection(database.query, owner)
  const values = [owner.organizationId, connectionId]
  for (const days of [90, 1]) {
    await database.query(
      `with run as (
         insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, finished_at)
         values ($1, $2, 'schedule', 'incremental', 'succeeded', now() - make_interval(days => $3), now() - make_interval(days => $3))
         returning organization_id, id)
       insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
         duplicate, rejected, key_hashes)
       select organization_id, id, 1, 'lines', 1, n * 50, 0, 0, 0, 0, 0, 0, '{}' from run, generate_series(0, 1) n`,
      [...values, days],
    )
    await database.query(
      `insert into refresh_attempt (organization_id, connection_id, generation, started_at, finished_at, outcome)
       select $1, $2, 100 - $3::integer, at, at, 'renewed' from (select now() - make_interval(days => $3) as at) moment`,
      [...values, days],
    )
  }
})

const count = async () => {
  const [row] = await database.query<{ pages: number; attempts: number }>(
    'select (select count(*)::int from sync_page) as pages, (select count(*)::int from refresh_attempt) as attempts',
  )
  return row
}
const CLEAN = { pages: 2, attempts: 1 }
const FULL = { pages: 4, attempts: 2 }

test('the worker does its housekeeping at its start, and again at each interval', async () => {
  const housekeeping = repeatWork('housekeeping', keepHouse, 20)
  try {
    await expect.poll(count).toEqual(CLEAN)
    await database.query(`update sync_run set finished_at = now() - interval '40 days'`)
    await expect.poll(count).toEqual({ ...CLEAN, pages: 0 })
  } finally {
    await housekeeping.stop()
  }
})

test('two workers at once do what one does', async () => {
  const signal = new AbortController().signal
  await Promise.all([keepHouse(signal, 0), keepHouse(signal, 0)])
  await keepHouse(signal, 0)
  expect(await count()).toEqual(CLEAN)
})

test('a worker told to stop does so between two batches, without waiting for the next', async () => {
  const stopping = new AbortController()
  const turn = keepHouse(stopping.signal, 600_000)
  await expect.poll(count).toEqual({ ...FULL, pages: 2 })
  stopping.abort()
  await turn
  expect(await count()).toEqual({ ...FULL, pages: 2 })
})

test('what cannot be removed now does not block the rest, and goes at the next turn', async () => {
  await database.query('alter table sync_arrival rename to away')
  const signal = new AbortController().signal
  await keepHouse(signal, 0)
  expect(await count()).toEqual({ ...FULL, attempts: 1 })
  await database.query('alter table away rename to sync_arrival')
  await keepHouse(signal, 0)
  expect(await count()).toEqual(CLEAN)
})

test('files whose comments never followed go, with their bytes', async () => {
  const { organizationId, userId } = await seedOrganization(database.query, 'Files')
  await database.query(
    `with f as (insert into stored_file (organization_id, hash, content) values ($1, sha256('x'), 'x') returning hash)
     insert into attachment (organization_id, author_id, name, kind, size, hash, at)
     select $1, $2, 'bill.pdf', 'pdf', 1, hash, now() - interval '2 days' from f`,
    [organizationId, userId],
  )
  await keepHouse(new AbortController().signal, 0)
  expect(await database.query('select from attachment')).toEqual([])
  expect(await database.query('select from stored_file')).toEqual([])
})

test('lines that no sync has compared are compared, account by account, once each has been read', async () => {
  const owner = await seedOrganization(database.query, 'Gamma')
  const names = ['Gamma', 'Gamma Asia', 'Unread']
  for (const name of names) {
    const connectionId = await seedConnection(database.query, owner, name)
    await seedLines(
      owner.organizationId,
      connectionId,
      ['INV-1', 'INV-2'].map((invoiceSerialNumber) => makeLine({ invoiceSerialNumber })),
    )
    if (name !== 'Unread')
      await database.query(
        `insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, finished_at)
         values ($1, $2, 'schedule', 'backfill', 'succeeded', now(), now())`,
        [owner.organizationId, connectionId],
      )
  }
  await keepHouse(new AbortController().signal, 0)
  const found = await database.query(
    `select c.name, f.code from line_comparison f join connection c on c.id = f.connection_id order by 1`,
  )
  expect(found).toEqual(['Gamma', 'Gamma Asia'].map((name) => ({ name, code: 'duplicate_line' })))
})

test('invoices that no sync has judged and noted are judged and noted, account by account', async () => {
  const owner = await seedOrganization(database.query, 'Beta')
  for (const name of ['Beta', 'Beta Asia']) {
    const connectionId = await seedConnection(database.query, owner, name)
    const line = makeLine({ invoiceSerialNumber: name })
    await seedLines(owner.organizationId, connectionId, [line])
    const { currency, totalAmount: total } = line
    const invoice = makeInvoice({ serialNumber: name, currency, total, taxesSummary: [], raw: '{}' })
    await seedInvoices(owner.organizationId, connectionId, [invoice])
  }
  await keepHouse(new AbortController().signal, 0)
  const judged = await database.query('select serial_number as name from plain_invoice order by 1')
  expect(judged.map(({ name }) => name)).toEqual(['Beta', 'Beta Asia'])
  const noted = await database.query('select serial_number as name from invoice_words order by 1')
  expect(noted.map(({ name }) => name)).toEqual(['Beta', 'Beta Asia'])
})
