import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { countsForNavigation } from '#lib/ledger/read/get-overview.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import type { ConnectionSummary } from '../model.ts'
import { getConnection, listConnections } from './list-connections.ts'

let database: TestDatabase
const organizations: string[] = []
const connections: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  for (const name of ['first', 'second']) {
    const [row] = await database.query<{ organization: string; connection: string }>(
      `with o as (insert into organization (name) values ($1) returning id),
            u as (insert into app_user (organization_id, email, name, role)
                  select id, $1 || '@example.com', 'Ada ' || $1, 'admin' from o returning organization_id, id),
            c as (insert into connection (organization_id, name, state, scopes_asked, created_by, connected_at)
                  select organization_id, 'Acme ' || $1, 'active', 'expenses:read', id, '2026-03-04T05:06:07Z' from u
                  returning organization_id, id)
       select organization_id as organization, id as connection from c`,
      [name],
    )
    organizations.push(row?.organization ?? '')
    connections.push(row?.connection ?? '')
  }
  const values = [organizations[0], connections[0]]
  await database.query(
    `insert into profile (organization_id, connection_id, id, name, currency, raw, content_hash)
     values ($1, $2, 'p2', 'Beta', 'GBP', '{}', 'h'), ($1, $2, 'p1', 'Alpha', 'EUR', '{}', 'h')`,
    values,
  )
  await database.query(
    `insert into sync_run (organization_id, connection_id, trigger, status, requested_at, finished_at)
     values ($1, $2, 'connect', 'succeeded', '2026-03-05T00:00:00Z', '2026-03-05T00:01:00Z')`,
    values,
  )
  await database.query(
    `insert into sync_run (organization_id, connection_id, trigger, status, phase, requested_at, lines_expected, lines_received, inserted)
     values ($1, $2, 'manual', 'running', 'lines', '2026-03-06T00:00:00Z', 100, 40, 40)`,
    values,
  )
})
afterAll(() => database.drop())

test('lists the organization’s connections with their profiles, last good sync and current run', async () => {
  expect(await listConnections(organizations[0] ?? '')).toEqual([
    {
      id: connections[0],
      name: 'Acme first',
      platformName: null,
      state: 'active',
      stateCause: null,
      profiles: [
        { id: 'p1', name: 'Alpha', currency: 'EUR' },
        { id: 'p2', name: 'Beta', currency: 'GBP' },
      ],
      stateChangedAt: expect.any(String),
      scopesAsked: ['expenses:read'],
      scopesGranted: ['expenses:read'],
      connectedAt: '2026-03-04T05:06:07.000Z',
      connectedBy: 'Ada first',
      lineCount: 0,
      goneLineCount: 0,
      invoiceCount: 0,
      rejectedCount: 0,
      lastGoodSyncAt: '2026-03-05T00:01:00.000Z',
      tokensObtainedAt: null,
      refreshObtainedAt: null,
      refreshExpiresAt: null,
      accessExpiresAt: null,
      refreshingUntil: null,
      refreshOverdueSince: null,
      dataDeletedAt: null,
      disconnect: null,
      candidate: null,
      openLoss: null,
      nextSyncAt: null,
      syncEveryMinutes: 60,
      lookBackEveryHours: 24,
      lookedBackAt: null,
      nextLookBackAt: null,
      verifyEveryDays: 7,
      verifiedAt: null,
      nextVerificationAt: null,
      run: expect.objectContaining({
        status: 'running',
        phase: 'lines',
        trigger: 'manual',
        requestedAt: '2026-03-06T00:00:00.000Z',
        lines: { received: 40, expected: 100 },
        inserted: 40,
      }),
    },
  ])
})

test('counts the lines and invoices that count in totals, and says how many are gone', async () => {
  const owner = await seedOrganization(database.query, 'Gone')
  const connectionId = await seedConnection(database.query, owner)
  await seedLines(owner.organizationId, connectionId, [makeLine(), makeLine(), makeLine({ id: 'gone' })])
  await seedInvoices(owner.organizationId, connectionId, [
    makeInvoice({ serialNumber: 'INV-1' }),
    makeInvoice({ serialNumber: 'INV-2' }),
  ])
  await database.query(`update line set missing_since = now() where id = 'gone'`)
  await database.query(`update invoice set missing_since = now() where serial_number = 'INV-2'`)
  expect(await listConnections(owner.organizationId)).toMatchObject([
    { lineCount: 2, goneLineCount: 1, invoiceCount: 1 },
  ])
  expect(await countsForNavigation(owner.organizationId)).toEqual({ lines: 2, invoices: 1 })
})

test('shows a run’s speed, time left, parts done, and why it waits', async () => {
  const [organization = '', connection = ''] = [organizations[0], connections[0]]
  const [run] = await database.query<{ id: string }>(
    `update sync_run set kind = 'backfill', started_at = now() - interval '20 seconds', invoices_expected = 0 where status = 'running' returning id`,
  )
  await database.query(
    `insert into sync_window (organization_id, run_id, number, list, state) values
       ($1, $2, 1, 'lines', 'split'), ($1, $2, 2, 'lines', 'complete'), ($1, $2, 3, 'lines', 'reading')`,
    [organization, run?.id],
  )
  await database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged, duplicate,
       rejected, key_hashes, committed_at)
     values ($1, $2, 3, 'lines', 1, 0, 20, 20, 0, 0, 0, 0, '{}', now() - interval '10 seconds'),
            ($1, $2, 3, 'lines', 1, 20, 20, 20, 0, 0, 0, 0, '{}', now())`,
    [organization, run?.id],
  )
  const seen = (await getConnection(organization, connection))?.run
  expect(seen).toMatchObject({ kind: 'backfill', windows: { known: 2, complete: 1 }, waitsUntil: null })
  expect(seen?.recordsPerSecond).toBeGreaterThan(1)
  expect(seen?.recordsPerSecond).toBeLessThanOrEqual(2)
  expect(seen?.secondsLeft).toBe(Math.ceil(60 / (seen?.recordsPerSecond ?? 0)))
  await database.query(
    `update sync_run set error_code = 'partner-throttled', lease_until = '2099-01-01T00:00:00Z' where id = $1`,
    [run?.id],
  )
  expect((await getConnection(organization, connection))?.run?.waitsUntil).toBe('2099-01-01T00:00:00.000Z')
})

test('A8: another organization’s connection and a malformed id look the same: missing', async () => {
  const [first = '', second = ''] = organizations
  expect((await getConnection(second, connections[1] ?? ''))?.name).toBe('Acme second')
  expect(await getConnection(second, connections[0] ?? '')).toBeNull()
  expect(await getConnection(first, "' or true --")).toBeNull()
})

test('an active connection shows as refreshing under a live lease, and as active once it ends', async () => {
  const values = [organizations[0], connections[0]]
  const read = async () => (await getConnection(organizations[0] ?? '', connections[0] ?? ''))?.state
  await database.query(
    `insert into connection_credential (organization_id, connection_id, generation, sealed_tokens, key_id, obtained_at,
                                        access_expires_at, refresh_expires_at, lease_until)
     values ($1, $2, 1, 's', 'k', now(), now() + interval '1 hour', now() + interval '30 days', now() + interval '1 minute')`,
    values,
  )
  expect(await read()).toBe('refreshing')
  await database.query(`update connection_credential set lease_until = now() - interval '1 second'`)
  expect(await read()).toBe('active')
  await database.query('delete from connection_credential')
})

test('counts follow the rows: added, re-added, deleted, in one statement or many', async () => {
  const [organizationId = '', connectionId = ''] = [organizations[0], connections[0]]
  const counts = async () => {
    const { lineCount, invoiceCount } = (await getConnection(organizationId, connectionId)) as ConnectionSummary
    return [invoiceCount, lineCount]
  }
  const invoices = `insert into invoice (organization_id, connection_id, serial_number, currency, total, raw, content_hash)
    select $1, $2, 'I-' || n, 'EUR', 1, '{}', 'h' from generate_series($3::int, $4::int) n
    on conflict (organization_id, connection_id, serial_number) do update set content_hash = excluded.content_hash`
  await database.query(invoices, [organizationId, connectionId, 1, 10])
  await database.query(invoices, [organizationId, connectionId, 6, 12])
  expect(await counts()).toEqual([12, 0])
  await database.query(`delete from invoice where connection_id = $1 and serial_number in ('I-1', 'I-2')`, [
    connectionId,
  ])
  expect(await counts()).toEqual([10, 0])
  const rolledBack = withTenantSql(organizationId, async (sql) => {
    await sql(invoices, [organizationId, connectionId, 20, 30])
    throw new Error('stop')
  })
  await expect(rolledBack).rejects.toThrow('stop')
  expect(await counts()).toEqual([10, 0])
  await database.query('truncate invoice')
  expect(await counts()).toEqual([0, 0])
})
