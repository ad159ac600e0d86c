import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppSession } from '#lib/auth/model.ts'
import { POOL_CONNECTIONS } from '#lib/db/pool.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { EVERYTHING } from '#lib/ledger/query/ledger-scope.ts'
import {
  applyInvoices,
  applyLines,
  makeInvoice,
  makeLine,
  seedConnection,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { NO_CHOICE } from '#lib/reconcile/own-formats/format-choices.ts'
import { readOverview } from './read-overview.ts'

let database: TestDatabase
let session: AppSession
let connectionId: ConnectionId
const now = Date.now()

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  session = {
    ...owner,
    organizationName: 'Acme',
    fiscalMonth: 1,
    foldsNames: false,
    ownFormats: NO_CHOICE,
    organizationFormats: NO_CHOICE,
    name: 'Ada Admin',
    email: 'ada@example.com',
    role: 'admin',
    sessionIdHash: '',
    lastVisit: null,
    mustEnrol: false,
  }
  connectionId = await seedConnection(database.query, owner)
  await withTenantSql(session.organizationId, sync)
})
afterAll(() => database.drop())

/** One more invoice with its line. */
async function sync(sql: Sql) {
  const account = { organizationId: session.organizationId, connectionId }
  const line = makeLine()
  const invoice = makeInvoice({ serialNumber: `INV-${line.id}` })
  await applyInvoices(sql, { ...account, invoices: [invoice] })
  await applyLines(sql, { ...account, lines: [{ ...line, invoiceSerialNumber: invoice.serialNumber }] })
}

const read = () => readOverview(session, now, EVERYTHING)
const countWaiting = async () =>
  (
    await database.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )[0]?.waiting

/** Does the work while all connections but two are taken. */
async function withTwoConnections(work: () => Promise<void>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const taken = Array.from({ length: POOL_CONNECTIONS - 2 }, () =>
    withTenantSql(session.organizationId, () => released),
  )
  await work().finally(release)
  await Promise.all(taken)
}

test('what a sync commits between two reads of Overview is in none of its figures', async () => {
  const before = await read()
  let reading = Promise.resolve(before)
  // with the one beside the sync's the reads follow each other
  await withTwoConnections(async () => {
    await withTenantSql(session.organizationId, async (sql) => {
      // which the first of them comes to, and no other
      await sql('lock table profile in access exclusive mode')
      reading = read()
      await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1)
      await sync(sql)
    })
    expect(await reading).toEqual(before)
  })
  const figures = [before, await read()]
  expect(figures.map(({ overview }) => overview.lineCount)).toEqual([1, 2])
  expect(figures.map(({ proofs }) => proofs.tieOut.currencies[0]?.invoices.count)).toEqual([1, 2])
  expect(figures.map(({ connections }) => connections[0]?.lineCount)).toEqual([1, 2])
  expect(figures.map(({ news }) => news.changes.bridges[0]?.arrived.count)).toEqual([1, 2])
})
