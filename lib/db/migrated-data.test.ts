/** What migrations do to rows that earlier versions left. */

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { migrate } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const ALL = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

let database: TestDatabase
let earlier: string

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  earlier = mkdtempSync(join(tmpdir(), 'tieout-earlier-'))
  await database.query('drop schema public cascade')
  await database.query('create schema public')
  return () => rmSync(earlier, { recursive: true })
})
afterAll(() => database.drop())

/** The database as it was before the migration of this name. */
async function migrateUpTo(name: string): Promise<void> {
  for (const each of readdirSync(ALL))
    if (each < name) cpSync(join(ALL, each), join(earlier, each), { recursive: true })
  await migrate(database.url, earlier)
}

async function seedConnection(state: string): Promise<ConnectionId> {
  const [row] = await database.query<{ id: string }>(
    `with o as (insert into organization (name) values ('Acme') returning id),
          u as (insert into app_user (organization_id, email, name, role)
                select id, id || '@example.com', 'Ada', 'admin' from o returning organization_id, id)
     insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, $1, 'expenses:read', id from u returning id`,
    [state],
  )
  return row?.id as ConnectionId
}

test('F16: ends runs over deleted data or of a disconnected account; other runs go on', async () => {
  await migrateUpTo('20261121120000_runs_of_erased_data')
  const run = (connectionId: ConnectionId, status: string, requestedAt: string) =>
    database.query(
      `insert into sync_run (organization_id, connection_id, trigger, status, requested_at)
       select organization_id, id, 'manual', $2, $3 from connection where id = $1`,
      [connectionId, status, requestedAt],
    )
  const erased = await seedConnection('active')
  await database.query(
    `insert into connection_event (organization_id, connection_id, kind, happened_at)
     select organization_id, id, 'data_deleted', '2026-11-01' from connection where id = $1`,
    [erased],
  )
  await run(erased, 'succeeded', '2026-10-01')
  await run(erased, 'held', '2026-10-02')
  await database.query(
    `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
     select organization_id, id, connection_id, 1, 1, 1, 1, '[]' from sync_run where status = 'held'`,
  )
  await run(erased, 'paused', '2026-10-03')
  await run(erased, 'succeeded', '2026-11-02')
  const kept = await seedConnection('disconnected')
  await run(kept, 'succeeded', '2026-10-01')
  await run(kept, 'paused', '2026-10-02')
  const other = await seedConnection('active')
  await run(other, 'paused', '2026-10-01')
  await migrate(database.url, ALL)
  const runs = await database.query<{ connection: string; status: string; code: string | null; erased: boolean }>(
    `select connection_id as connection, status, error_code as code, data_erased_at is not null as erased
     from sync_run order by connection_id, requested_at`,
  )
  const of = (id: string) =>
    runs.filter(({ connection }) => connection === id).map(({ status, code, erased }) => [status, code, erased])
  const ended = 'connection-disconnected'
  expect(of(erased)).toEqual([
    ['succeeded', null, true],
    ['succeeded', null, true],
    ['failed', ended, true],
    ['succeeded', null, false],
  ])
  expect(of(kept)).toEqual([
    ['succeeded', null, false],
    ['failed', ended, false],
  ])
  expect(of(other)).toEqual([['paused', null, false]])
  expect(await database.query('select decision from sync_loss')).toEqual([{ decision: 'superseded' }])
})

test('A8: the platform’s words about a host, kept by earlier versions, are gone', async () => {
  await migrateUpTo('20261121120001_host_failures_in_our_words')
  await database.query(
    `insert into partner_host (host, last_failure_at, last_failure) values ('api.example', now(), 'Ledger of Canary GmbH')`,
  )
  await migrate(database.url, ALL)
  const [host] = await database.query('select * from partner_host')
  expect(host).toMatchObject({ host: 'api.example', last_failure_kind: null, last_failure_status: null })
  expect(JSON.stringify(host)).not.toContain('Canary')
})

test('F16: destroys SCIM keys kept for disconnected accounts, in the name of who disconnected them', async () => {
  await migrateUpTo('20261121120002_scim_keys_of_ended_links')
  const stranger = '00000000-0000-4000-8000-000000000000'
  const seed = async (state: string) => {
    const id = await seedConnection(state)
    await database.query(
      `insert into scim_credential (organization_id, connection_id, generation, sealed_key, key_id, changed_by)
       select organization_id, id, 1, 'sealed', 'key', $2 from connection where id = $1`,
      [id, stranger],
    )
    await database.query(
      'insert into scim_check (organization_id, connection_id) select organization_id, id from connection where id = $1',
      [id],
    )
    return id
  }
  const ended = await seed('disconnected')
  await database.query(
    `insert into disconnection (organization_id, connection_id, data_choice, requested_by)
     select organization_id, id, 'keep', created_by from connection where id = $1`,
    [ended],
  )
  const linked = await seed('needs_reconnect')
  await migrate(database.url, ALL)
  const read = async (id: string) => {
    const [row] = await database.query(
      `select k.sealed_key, k.key_id, k.changed_by = c.created_by as by_admin, s.status from connection c
       join scim_credential k on k.connection_id = c.id join scim_check s on s.connection_id = c.id where c.id = $1`,
      [id],
    )
    return row
  }
  expect(await read(ended)).toEqual({ sealed_key: null, key_id: null, by_admin: true, status: 'failed' })
  expect(await read(linked)).toEqual({ sealed_key: 'sealed', key_id: 'key', by_admin: false, status: 'queued' })
})

test('the record of each line is kept byte for byte when it moves to a table of its own', async () => {
  await migrateUpTo('20261122100000_line_payload')
  const connectionId = await seedConnection('active')
  const raw = `{ "id" : "a",  "total_amount":1.50, "odd":9007199254740993 }`
  await database.query(
    `insert into line (organization_id, connection_id, id, invoice_serial_number, currency, expense_date, description, quantity,
       unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, raw, content_hash, proof_version,
       expected_total_amount, difference, expected_tax_amount, tax_difference)
     select organization_id, id, 'a', 'INV', 'EUR', '2026-03-04', 'Hotel', 1, 1.50, 0, 0, 0, 1.50, $2, 'hash', 1, 1.50, 0, 0, 0
     from connection where id = $1`,
    [connectionId, raw],
  )
  await migrate(database.url, ALL)
  expect(await database.query('select connection_id, line_id, raw::text from line_payload')).toEqual([
    { connection_id: connectionId, line_id: 'a', raw },
  ])
  expect(await database.query('select id, total_amount::text from line')).toEqual([{ id: 'a', total_amount: '1.50' }])
  await database.query(`update line set content_hash = 'other', total_amount = 2`)
  expect(await database.query('select raw::text from line_version')).toEqual([{ raw }])
})

test('a line with keys too long for an entry of the list’s index leaves the index without them', async () => {
  await migrateUpTo('20261122120000_covering_list_index')
  await seedConnection('active')
  const keys = [
    'profile_id',
    'service',
    'related_vertical',
    'cost_center',
    'tax_regime',
    'invoice_mode',
    'invoice_status',
  ]
  // hexadecimal digits by chance: PostgreSQL cannot make them shorter
  const key = (name: string) => `(select string_agg(md5('${name}' || n), '') from generate_series(1, 15) n)`
  await database.query(
    `insert into line (organization_id, connection_id, id, invoice_serial_number, currency, expense_date, description, quantity,
       unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, content_hash, proof_version,
       expected_total_amount, difference, expected_tax_amount, tax_difference, ${keys.join(', ')})
     select organization_id, id, 'line-1', 'INV-1', 'EUR', '2026-03-04', '', 1, 1, 0, 0, 0, 1, '', 1, 1, 0, 0, 0, ${keys.map(key).join(', ')}
     from connection`,
  )
  await migrate(database.url, ALL)
  const [index] = await database.query<{ text: string }>(
    `select indexdef as text from pg_indexes where indexname = 'line_by_expense_date'`,
  )
  expect(index?.text).toMatch(/connection_id, id\) WHERE \(missing_since IS NULL\)$/)
  expect(await database.query('select id from line')).toEqual([{ id: 'line-1' }])
})

test('a line keeps all it had, and plain words become its search text, when its columns change places', async () => {
  await migrateUpTo('20261123010000_search_text')
  const connectionId = await seedConnection('active')
  for (const [id, trip] of [
    ['Plain-1', 'Trip to LYON'],
    ['odd-1', 'Trip to Orléans'],
  ])
    await database.query(
      `insert into line (organization_id, connection_id, id, invoice_serial_number, currency, expense_date, description, quantity,
         unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, trip_name, traveler_names, finding_codes,
         content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference)
       select organization_id, id, $2, 'INV', 'EUR', '2026-03-04', 'Hotel, 1 Night', 1, 1.50, 0, 0, 0, 1.50, $3, '{Ada L,Bo}', '{total}',
         'hash', 1, 1.50, 0, 0, 0
       from connection where id = $1`,
      [connectionId, id, trip],
    )
  const readLines = () => database.query(`select to_jsonb(l) - 'search_text' as line from line l order by id`)
  const readRules = () =>
    database.query(
      `select pg_get_triggerdef(oid) as rule from pg_trigger where tgrelid = 'line'::regclass and not tgisinternal
       union all select indexdef from pg_indexes where tablename = 'line'
       union all select policyname || coalesce(qual, '') from pg_policies where tablename = 'line'
       union all select relrowsecurity || ' ' || relforcerowsecurity from pg_class where oid = 'line'::regclass order by 1`,
    )
  const [lines, rules] = [await readLines(), await readRules()]
  await migrate(database.url, ALL)
  expect(await readLines()).toEqual(lines)
  expect(await readRules()).toEqual(expect.arrayContaining(rules))
  expect(await database.query('select search_text from line order by id')).toEqual([
    { search_text: 'hotel, 1 night\x1ftrip to lyon\x1f\x1finv\x1f\x1f\x1fplain-1\x1fada l\x1fbo' },
    { search_text: '\x1ehotel, 1 night\x1ftrip to orléans\x1f\x1finv\x1f\x1f\x1fodd-1\x1fada l\x1fbo' },
  ])
})

test('plain invoices that were judged before there were sums of them are in the sums', async () => {
  await migrateUpTo('20261125170000_plain_invoice_sums')
  const connectionId = await seedConnection('active')
  for (const [serial, day] of Object.entries({ a: '2026-03-04', b: '2026-03-05', c: null }))
    await database.query(
      `insert into plain_invoice select organization_id, id, $2, null, $3, 'EUR', 1.50, 2, false from connection where id = $1`,
      [connectionId, serial, day],
    )
  await migrate(database.url, ALL)
  expect(
    await database.query(
      `select month, invoice_count::int as invoices, line_count::int as lines, total::text from plain_invoice_sum order by 1`,
    ),
  ).toEqual([
    { month: '2026-03', invoices: 2, lines: 4, total: '3.00' },
    { month: null, invoices: 1, lines: 2, total: '1.50' },
  ])
})

test('lines that were here before states were summed up are in the sums of their states', async () => {
  await migrateUpTo('20261125240000_one_verdict')
  const connectionId = await seedConnection('active')
  for (const [id, codes, explained, difference] of [
    ['fine', '{}', null, 0],
    ['open', '{total}', null, 1],
    ['known', '{total}', '{total}', 0.01],
    ['tiny', '{total}', null, 0.001],
  ] as const)
    await database.query(
      `insert into line (organization_id, connection_id, id, invoice_serial_number, currency, expense_date, description, quantity,
         unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, finding_codes, explained_codes, search_text,
         content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference)
       select organization_id, id, $2, 'INV', 'EUR', '2026-03-04', 'Hotel', 1, 1.50, 0, 0, 0, 1.50, $3::text[], $4::text[], '',
         'hash', 1, 1.50, $5, 0, 0
       from connection where id = $1`,
      [connectionId, id, codes, explained, difference],
    )
  await migrate(database.url, ALL)
  for (const table of ['line_rollup', 'trip_rollup', 'invoice_rollup'])
    expect(
      await database.query(`select distinct unpack_states(sum(line_states)) ->> 'unexplained' as open,
        unpack_states(sum(line_states)) ->> 'explained' as known, unpack_states(sum(line_states)) ->> 'note' as noted
        from ${table} ${table === 'line_rollup' ? 'group by grain' : ''}`),
    ).toEqual([{ open: '1', known: '1', noted: '1' }])
})
