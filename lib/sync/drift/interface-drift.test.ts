import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { wireInvoice } from '#lib/partner/wire/wire-invoice.ts'
import { wireLine } from '#lib/partner/wire/wire-line.ts'
import { wireProfile } from '#lib/partner/wire/wire-profile.ts'
import { parseLossless } from '#lib/reconcile/json/parse.ts'
import type { JsonValue } from '#lib/reconcile/json/value.ts'
import type { InterfaceDrift, SyncList } from '../model.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { type DriftSightings, LARGE_INTEGER, MOST_SIGHTINGS, observeRecord } from './interface-drift.ts'
import { INTERFACE_BASELINE } from './interface-drift-baseline.ts'
import { maskValue } from './interface-drift-mask.ts'
import { flushInterfaceDrift, listInterfaceDrift, recordInterfaceDrift } from './interface-drift-store.ts'

function observe(list: SyncList, ...records: string[]): DriftSightings {
  const sightings: DriftSightings = new Map()
  for (const record of records) observeRecord(list, parseLossless(record), sightings)
  return sightings
}

const said = (sightings: DriftSightings) =>
  [...sightings.values()].map(({ path, kind, detail, records }) => `${kind} ${path}: ${detail} x${records}`)

/** A line shaped as the contract shows it. */
const CONTRACT_LINE = {
  id: 'line-1',
  expense_date: '2026-03-04',
  description: 'Flight HAM-LHR',
  quantity: 1,
  unit_price: '100.00',
  non_taxable_unit_price: '0.00',
  tax_percentage: '19.00',
  tax_amount: '19.00',
  tax_regime: 'G-VAT-R',
  total_amount: '119.00',
  metadata: {
    trip_id: '10223',
    trip_name: 'London',
    service: 'flight',
    related_vertical: 'flight',
    travelers: [{ name: 'Ana', email: 'ana@example.com', external_id: 'E-1' }],
    start_date: '2026-03-04',
    end_date: null,
    labels: ['offsite'],
    custom_fields: [{ name: 'Project', value: 'X' }],
    vendor: { code: 'BA', name: 'British Airways' },
    out_of_policy: false,
    service_location: {
      origin: {
        name: 'Hamburg',
        code: 'HAM',
        city: 'Hamburg',
        country: 'Germany',
        country_code: 'DE',
        latitude: '53.6',
        longitude: '9.9',
      },
    },
    include_breakfast: null,
  },
  invoice_serial_number: 'INV-01-0001',
  profile_id: 'p',
  profile_name: 'Acme GmbH',
  invoice_mode: 'reseller',
  invoice_status: 'paid',
  issuing_date: '2026-03-31',
  due_date: '2026-04-30',
  currency: 'EUR',
}

const lineWith = (change: object) => JSON.stringify({ ...CONTRACT_LINE, ...change })
const metadataWith = (change: object) => lineWith({ metadata: { ...CONTRACT_LINE.metadata, ...change } })

test('a record shaped like the contract shows no deviation', () => {
  expect(said(observe('lines', lineWith({})))).toEqual([])
})

/** The paths of the members a schema reads. */
function listPaths(schema: unknown, path = ''): string[] {
  if (schema instanceof z.ZodPipe) return listPaths(schema.out, path)
  if (schema instanceof z.ZodArray) return [path, ...listPaths(schema.element, `${path}[]`)]
  if (!(schema instanceof z.ZodObject)) return [path]
  const members = Object.entries(schema.shape).flatMap(([key, member]) =>
    listPaths(member, path === '' ? key : `${path}.${key}`),
  )
  return path === '' ? members : [path, ...members]
}

test.each([
  ['profiles', wireProfile, 6],
  ['invoices', wireInvoice, 20],
  ['lines', wireLine, 30],
] as const)('every member that we read of the %s is part of the known interface', (list, schema, least) => {
  const paths = listPaths(schema)
  expect(paths.length).toBeGreaterThan(least)
  const known = new Set(INTERFACE_BASELINE[list].map(({ path }) => path))
  expect(paths.filter((path) => !known.has(path))).toEqual([])
})

test('F24: notes new keys, changed types, new values and integers beyond 2^53 by path, once per record', () => {
  const sightings = observe(
    'lines',
    metadataWith({
      carbon: { kg: 1 },
      service: 'ferry',
      travelers: [
        { name: 'A', seat: '1A' },
        { name: 'B', seat: '1B' },
      ],
    }),
    metadataWith({ carbon: null, service: 'ferry' }),
    lineWith({ unit_price: 40.1, tax_regime: 'MARGIN-EU-2027' }),
    metadataWith({ trip_id: 1 }).replace('"trip_id":1', '"trip_id":9007199254740993'),
    lineWith({ description: null, metadata: [] }),
  )
  expect(said(sightings).sort()).toEqual([
    'key metadata.carbon: null x1',
    'key metadata.carbon: object x1',
    'key metadata.travelers[].seat: text x1',
    'type description: null x1',
    `type metadata.trip_id: ${LARGE_INTEGER} x1`,
    'type metadata: list x1',
    'type unit_price: number x1',
    'value metadata.service: ferry x2',
    'value tax_regime: MARGIN-EU-2027 x1',
  ])
})

test('does not look inside unknown members, and treats the lines an invoice carries as another list', () => {
  const invoice = {
    serial_number: 'INV-1',
    lines: { total: 1, data: [], next: '/x' },
    bank_account: { iban: 'DE00' },
    x: { y: 1 },
  }
  expect(said(observe('invoices', JSON.stringify(invoice)))).toEqual(['key x: object x1'])
})

test('an example shows the form of a value and none of its content', () => {
  const value = parseLossless(
    '{"name":"Jürgen Brandt","since":"2026-03-04","n":-12.50,"anna@x.example":true,"list":["abc","de","f"],"deep":{"a":{"b":{"c":1}}}}',
  ) as JsonValue
  expect(maskValue(value)).toBe(
    '{"name":"Xxxxxx Xxxxxx","since":"9999-99-99","n":-99.99,"xxxx@x.xxxxxxx":true,"list":["xxx","xx",…],"deep":{"a":{"b":…}…',
  )
  const long = [
    ...observe(
      'lines',
      metadataWith({ 'anna.lind@example.com': 'Anna Lind', service: 'Anna Lind, 4 Main St' }),
    ).values(),
  ]
  expect(JSON.stringify(long)).not.toMatch(/anna|lind|main/i)
})

test('an object keyed by ids fills neither the memory nor the table', () => {
  const keyed = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, 1]))
  expect(observe('lines', lineWith(keyed)).size).toBe(MOST_SIGHTINGS)
})

test('treats prototype keys like any other member', () => {
  expect(said(observe('lines', lineWith({}).replace('{', '{"__proto__":{"polluted":true},"constructor":1,')))).toEqual([
    'key __proto__: object x1',
    'key constructor: number x1',
  ])
})

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
  connectionId = (await world.connect('nordlicht')).connectionId
})
afterAll(() => world.close())

const find = (drift: InterfaceDrift[], path: string, detail?: string) =>
  drift.find((each) => each.path === path && (detail === undefined || each.detail === detail))

test('F24: keeps everything beyond the contract, and shows it with its path, count and masked example', async () => {
  await syncNow(world, connectionId)
  await expectUpstream(world, connectionId, 'nordlicht')
  const drift = await listInterfaceDrift(world.organizationId, connectionId)
  expect(find(drift, 'allocation')).toMatchObject({ list: 'lines', kind: 'key', detail: 'list', recordCount: 1 })
  expect(find(drift, 'allocation')?.example).toBe('[{"percent":"999","code":"X"}]')
  expect(find(drift, 'metadata.carbon')?.example).toBe('{"kg":999.99999999999999999,"method":null}')
  expect(find(drift, 'metadata.trip_id', LARGE_INTEGER)).toMatchObject({ kind: 'type', recordCount: 1 })
  expect(find(drift, 'unit_price', 'number')).toMatchObject({ kind: 'type', recordCount: 1 })
  expect(find(drift, 'metadata.out_of_policy', 'text')).toMatchObject({ kind: 'type', example: '""' })
  expect(find(drift, 'tax_regime', 'MARGIN-EU-2027')).toMatchObject({ kind: 'value' })
  expect(find(drift, 'metadata.related_vertical', 'ferry')).toMatchObject({ kind: 'value', example: 'ferry' })
})

test('F24: counts a new key in every record in full', async () => {
  const { mutations, requireAccount } = world.sandbox.state()
  const account = requireAccount('nordlicht')
  const lines = await world.database.query<{ id: string }>(
    `select id from line where connection_id = $1 and id not like 'sha256:%' order by id limit 120`,
    [connectionId],
  )
  for (const { id } of lines) mutations.updateLine(account, id, { emission_class: 'B' })
  await syncNow(world, connectionId)
  const drift = await listInterfaceDrift(world.organizationId, connectionId)
  expect(find(drift, 'emission_class')).toMatchObject({ recordCount: lines.length, example: '"X"' })
})

test('a thousand pages with a new key in each record cost one statement every five seconds', async () => {
  const run = { organizationId: world.organizationId, connectionId, id: crypto.randomUUID() }
  let statements = 0
  await withTenantSql(run.organizationId, async (sql) => {
    const counting = Object.assign((text: string, values?: unknown[]) => {
      statements += 1
      return sql(text, values)
    }, sql) as Sql
    for (let page = 0; page < 1_000; page++) {
      const settle = await recordInterfaceDrift(
        counting,
        run,
        'lines',
        observe('lines', lineWith({ each: page })),
        page * 10,
      )
      settle()
    }
    await flushInterfaceDrift(counting, run)
  })
  expect(statements).toBe(3)
  const drift = await listInterfaceDrift(world.organizationId, connectionId)
  expect(find(drift, 'each')?.recordCount).toBe(1_000)
})

test('observes a rejected record too: the interface change may be what made it unreadable', async () => {
  const { mutations, requireAccount } = world.sandbox.state()
  const [line] = await world.database.query<{ id: string }>(
    `select id from line where connection_id = $1 and id not like 'sha256:%' order by id desc limit 1`,
    [connectionId],
  )
  mutations.updateLine(requireAccount('nordlicht'), line?.id as string, {
    total_amount: { value: '1.00', currency: 'EUR' },
  })
  await syncNow(world, connectionId)
  const drift = await listInterfaceDrift(world.organizationId, connectionId)
  expect(find(drift, 'total_amount', 'object')?.example).toBe('{"value":"9.99","currency":"XXX"}')
})

test('counts are exact per run, also when a page is repeated after a rollback', async () => {
  const run = { organizationId: world.organizationId, connectionId, id: crypto.randomUUID() }
  const page = () => observe('lines', lineWith({ brand_new: 1 }), lineWith({ brand_new: 2 }))
  const commit = async (now: number, shouldFail = false) => {
    const settle = await withTenantSql(run.organizationId, async (sql) => {
      const done = await recordInterfaceDrift(sql, run, 'lines', page(), now)
      if (shouldFail) throw new Error('rolled back')
      return done
    }).catch(() => null)
    settle?.()
  }
  const count = async () => find(await listInterfaceDrift(world.organizationId, connectionId), 'brand_new')?.recordCount
  await commit(0, true)
  expect(await count()).toBeUndefined()
  await commit(0)
  expect(await count()).toBe(2)
  await commit(100)
  await commit(200)
  expect(await count()).toBe(2)
  await commit(6_000, true)
  await commit(6_000)
  expect(await count()).toBe(8)
  await commit(6_100)
  await withTenantSql(run.organizationId, (sql) => flushInterfaceDrift(sql, run))
  expect(await count()).toBe(10)
  const next = { ...run, id: crypto.randomUUID() }
  await withTenantSql(run.organizationId, (sql) => recordInterfaceDrift(sql, next, 'lines', page(), 0))
  expect(await count()).toBe(2)
})
