import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { keepRejected } from '../apply/keep-rejected.ts'
import {
  DEFAULT_INVOICE_QUERY,
  INVOICE_SORT_KEYS,
  type InvoiceQuery,
  parseInvoiceQuery,
} from '../query/invoice-query.ts'
import {
  applyProfiles,
  day,
  decimal,
  makeInvoice,
  makeLine,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { expectTotals, makeVariedLines, sumExactly, toPlainValue } from '../test-support/seed-varied-lines.ts'
import { listFilterOptions } from './choices/list-filter-options.ts'
import { openInvoiceExport } from './export-invoices.ts'
import { getInvoice } from './get-invoice.ts'
import { countsForNavigation, getOverview } from './get-overview.ts'
import { listInvoiceRows, listInvoices } from './list-invoices.ts'
import { listRejectedLines } from './list-rejected-lines.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let strangerId: OrganizationId
let strangerConnectionId: ConnectionId

const invoices = [
  makeInvoice({ serialNumber: 'INV-A', total: decimal('238.01'), issuingDate: day('2026-01-31'), status: 'paid' }),
  makeInvoice({
    serialNumber: 'INV-B',
    total: decimal('-50.00'),
    issuingDate: day('2026-02-28'),
    status: 'open',
    mode: 'credit-reseller',
    creditUsed: decimal('10.00'),
  }),
  makeInvoice({
    serialNumber: 'INV-C',
    total: decimal('48700'),
    issuingDate: null,
    dueDate: null,
    currency: 'JPY',
    status: null,
    profileId: 'profile-2',
    profileName: null,
    reference: 'PO-77',
  }),
  makeInvoice({ serialNumber: 'INV-D', total: decimal('0.00'), currency: 'GBP', profileName: 'Umbrella 100%' }),
]
const lines = [
  makeLine({ invoiceSerialNumber: 'INV-A' }),
  makeLine({ invoiceSerialNumber: 'INV-A', totalAmount: decimal('119.01') }),
  makeLineOf('-50.00', {
    invoiceSerialNumber: 'INV-B',
    service: null,
    costCenter: null,
    tripId: '20000',
    tripName: 'Zurich',
    expenseDate: day('2026-03-20'),
  }),
  makeLineOf('48700', {
    invoiceSerialNumber: 'INV-C',
    currency: 'JPY',
    relatedVertical: null,
    profileId: 'profile-2',
    profileName: 'Acme KK',
  }),
]

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedInvoices(organizationId, connectionId, invoices)
  await seedLines(organizationId, connectionId, lines)
  const stranger = await seedOrganization(database.query, 'Stranger')
  strangerId = stranger.organizationId
  strangerConnectionId = await seedConnection(database.query, stranger, 'Strange account')
  await seedInvoices(strangerId, strangerConnectionId, [makeInvoice({ serialNumber: 'INV-X', currency: 'CHF' })])
  await seedLines(strangerId, strangerConnectionId, [
    makeLineOf('1', {
      invoiceSerialNumber: 'INV-X',
      currency: 'CHF',
      tripId: 'x',
      costCenter: 'theirs',
      service: 'theirs',
    }),
  ])
})
afterAll(() => database.drop())

const list = (change: Partial<InvoiceQuery> = {}) =>
  listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, ...change })
const serials = async (change: Partial<InvoiceQuery>) => (await list(change)).rows.map((row) => row.serialNumber).sort()

const NONE = { unexplained: 0, explained: 0, note: 0 }
const ONE_OPEN = { ...NONE, unexplained: 1 }

describe('invoices', () => {
  test('each has its lines counted and summed, and the list one total per currency', async () => {
    const found = await list({ sort: { key: 'serial_number', descending: false } })
    expect(found.rows).toMatchObject([
      { serialNumber: 'INV-A', total: '238.01', lineCount: 2, lineTotal: '238.01', findingCount: 1, creditUsed: null },
      {
        serialNumber: 'INV-B',
        total: '-50.00',
        lineCount: 1,
        lineTotal: '-50.00',
        findingCount: 0,
        creditUsed: '10.00',
      },
      { serialNumber: 'INV-C', total: '48700', lineCount: 1, lineTotal: '48700', issuingDate: null, status: null },
      { serialNumber: 'INV-D', total: '0.00', lineCount: 0, lineTotal: null },
    ])
    expect(found).toMatchObject({ invoiceCount: 4, allInvoiceCount: 4, page: 1, pageCount: 1 })
    expect(found.totals).toEqual([
      { currency: 'EUR', invoiceCount: 2, lineCount: 3, totalAmount: '188.01', findingCount: 1, lineStates: ONE_OPEN },
      { currency: 'GBP', invoiceCount: 1, lineCount: 0, totalAmount: '0.00', findingCount: 0, lineStates: NONE },
      { currency: 'JPY', invoiceCount: 1, lineCount: 1, totalAmount: '48700', findingCount: 0, lineStates: NONE },
    ])
  })

  test.each<[string, Partial<InvoiceQuery>, string[]]>([
    ['status', { statuses: ['open', ''] }, ['INV-B', 'INV-C']],
    ['mode', { modes: ['credit-reseller'] }, ['INV-B']],
    ['profile', { profiles: ['profile-2'] }, ['INV-C']],
    ['currency', { currencies: ['GBP', 'JPY'] }, ['INV-C', 'INV-D']],
    ['first day', { from: day('2026-02-28') }, ['INV-B', 'INV-D']],
    ['last day', { to: day('2026-02-28') }, ['INV-A', 'INV-B']],
    ['findings, of its lines or its own', { findingsOnly: true }, ['INV-A', 'INV-B']],
    ['its own finding', { findings: ['total_explained'] }, ['INV-B']],
    ['credit used', { credit: true }, ['INV-B']],
    ['serial number', { text: 'inv-b' }, ['INV-B']],
    ['profile name', { text: '100%' }, ['INV-D']],
    ['reference', { text: 'po-7' }, ['INV-C']],
    ['amount', { text: '+50,0' }, ['INV-B']],
    ['connection', { connections: ['nonsense'] }, []],
  ])('filter by %s', async (_, change, expected) => {
    expect(await serials(change)).toEqual(expected)
    const found = await list(change)
    expect([found.invoiceCount, found.allInvoiceCount]).toEqual([expected.length, 4])
  })

  test('sorts by its own findings, the most first, in the list and in its file', async () => {
    const sort = { key: 'check', descending: true } as const
    const { rows } = await list({ sort })
    const counts = rows.map(({ check }) => check.findings.length)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(new Set(counts).size).toBeGreaterThan(1)
    const reader = { userId: 'somebody', signal: new AbortController().signal }
    const cursor = await openInvoiceExport(organizationId, reader, { ...DEFAULT_INVOICE_QUERY, sort })
    const written = (await cursor.next()).map(({ serialNumber }) => serialNumber)
    await cursor.close()
    expect(written).toEqual(rows.map(({ serialNumber }) => serialNumber))
  })

  test.each(
    INVOICE_SORT_KEYS.flatMap((key) => [
      { key, descending: false },
      { key, descending: true },
    ]),
  )('pages by $key (descending: $descending) are complete and never overlap', async (sort) => {
    const seen: string[] = []
    // below an address's smallest page size: the list itself takes any
    for (let page = 1; page <= 4; page++)
      seen.push(...(await list({ sort, page, pageSize: 1 })).rows.map((row) => row.serialNumber))
    expect(seen.toSorted()).toEqual(['INV-A', 'INV-B', 'INV-C', 'INV-D'])
    for (const [at, id] of seen.entries()) {
      const row = { connectionId, id }
      for (const side of ['after', 'before'] as const) {
        const beside = { side, row }
        const { rows, place } = await list({ sort, beside })
        const expected = side === 'after' ? seen.slice(at + 1) : seen.slice(0, at)
        expect([rows.map(({ serialNumber }) => serialNumber), place]).toEqual([expected, side === 'after' ? at + 1 : 0])
        expect(await listInvoiceRows(organizationId, { ...DEFAULT_INVOICE_QUERY, sort, beside })).toEqual(rows)
      }
    }
  })

  test('one invoice has its tax summary and its raw record', async () => {
    const taxesSummary = [
      { taxRegime: 'STAR', subtotal: decimal('1.00'), taxPercentage: null, taxAmount: null, total: decimal('1.00') },
    ]
    await seedInvoices(organizationId, connectionId, [
      { ...(invoices[3] as (typeof invoices)[0]), taxesSummary, raw: '{ "x":1.0 }', contentHash: 'new' },
    ])
    expect(await getInvoice(organizationId, connectionId, 'INV-D')).toMatchObject({
      taxesSummary,
      rawText: '{ "x":1.0 }',
      connectionName: 'Acme Europe',
      lineCount: 0,
    })
    expect(await getInvoice(organizationId, connectionId, 'INV-A')).toMatchObject({
      lineTotal: '238.01',
      findingCount: 1,
    })
  })

  test('A8: an invoice of another organization is in no list and found by no id', async () => {
    expect(await serials({ connections: [strangerConnectionId] })).toEqual([])
    expect(await serials({ text: 'INV-X' })).toEqual([])
    expect(await getInvoice(organizationId, strangerConnectionId, 'INV-X')).toBeNull()
    expect(await getInvoice(organizationId, connectionId, 'INV-X')).toBeNull()
    expect(await getInvoice(organizationId, `' or true`, '\0')).toBeNull()
  })

  test('A14: hostile filters find nothing and break nothing', async () => {
    const hostile = `'); drop table invoice; --`
    const names = ['connection', 'status', 'mode', 'profile', 'q', 'sort', 'from', 'page']
    const query = parseInvoiceQuery(Object.fromEntries(names.map((name) => [name, hostile])))
    expect(await listInvoices(organizationId, query)).toMatchObject({ rows: [], allInvoiceCount: 4 })
  })
})

describe('overview', () => {
  test('has figures per currency, the findings with too much and too little apart, and the months', async () => {
    await seedLines(organizationId, connectionId, [
      makeLine({
        id: 'low',
        invoiceSerialNumber: 'INV-A',
        totalAmount: decimal('118.00'),
        taxAmount: decimal('19.00'),
      }),
      makeLine({
        id: 'tax',
        invoiceSerialNumber: 'INV-A',
        totalAmount: decimal('119.03'),
        taxAmount: decimal('19.03'),
      }),
      // its price holds the tax: both figures are off
      makeLine({
        id: 'gross',
        invoiceSerialNumber: 'INV-A',
        unitPrice: decimal('119.00'),
        taxAmount: decimal('19.00'),
        totalAmount: decimal('119.00'),
      }),
    ])
    const overview = await getOverview(organizationId, dayOf(0))
    expect(overview.currencies).toEqual([
      {
        currency: 'EUR',
        lineCount: 6,
        totalAmount: '544.04',
        findingCount: 5,
        lineStates: { unexplained: 3, explained: 1, note: 0 },
      },
      { currency: 'JPY', lineCount: 1, totalAmount: '48700', findingCount: 0, lineStates: NONE },
    ])
    // what is too much and too little does not cancel; total and tax of one line count as one
    expect(overview.findings).toEqual([
      { outcome: 'unexplained', currency: 'EUR', lineCount: 3, overcharged: '0.04', undercharged: '1.00' },
      { outcome: 'explained', currency: 'EUR', lineCount: 1, overcharged: '0', undercharged: '22.61' },
    ])
    expect(overview).toMatchObject({ invoiceCount: 4, lineCount: 7, rejectedCount: 0 })
    expect(overview.months).toEqual([
      { month: '2026-03', currency: 'EUR', relatedVertical: 'hotel', totalAmount: '544.04' },
      { month: '2026-03', currency: 'JPY', relatedVertical: null, totalAmount: '48700' },
    ])
    await database.query(`delete from line where id in ('low', 'tax', 'gross')`)
  })

  test('its sums are those of the lines, for lines of every kind', async () => {
    const owner = await seedOrganization(database.query, 'Varied')
    const varied = makeVariedLines(300)
    await seedLines(owner.organizationId, await seedConnection(database.query, owner), varied)
    const overview = await getOverview(owner.organizationId, dayOf(0))
    const expected = expectTotals(varied)
    expect(overview.currencies.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) }))).toEqual(
      expected,
    )
    for (const { currency, totalAmount } of expected)
      expect(
        sumExactly(overview.months.filter((month) => month.currency === currency).map((month) => month.totalAmount)),
      ).toBe(totalAmount)
  })

  test('counts for the navigation, without what is gone from the platform', async () => {
    expect(await countsForNavigation(organizationId)).toEqual({ invoices: 4, lines: 4 })
    expect(await countsForNavigation(strangerId)).toEqual({ invoices: 1, lines: 1 })
    await database.query(`update invoice set missing_since = now() where serial_number = 'INV-A'`)
    expect(await countsForNavigation(organizationId)).toEqual({ invoices: 3, lines: 4 })
    expect((await getOverview(organizationId, dayOf(0))).invoiceCount).toBe(3)
    await database.query('update invoice set missing_since = null')
  })
})

describe('filter options', () => {
  test('are the values that occur, unknown last, and none of another organization', async () => {
    const options = await listFilterOptions({ organizationId, foldsNames: false })
    const values = (...list: (string | null)[]) => list.map((value) => ({ value }))
    expect(options).toEqual({
      connections: [{ value: connectionId, name: 'Acme Europe' }],
      currencies: values('EUR', 'GBP', 'JPY'),
      verticals: values('hotel', null),
      services: values('hotel', null),
      statuses: values('open', 'paid', null),
      modes: values('credit-reseller', 'reseller'),
      profiles: [
        { value: 'profile-2', name: 'Acme KK' },
        { value: 'profile-1', name: 'Umbrella 100%' },
      ],
      costCenters: values('4100', null),
    })
  })
})

test('does not list rejected records of another organization', async () => {
  const rejection = {
    raw: '{',
    recordId: null,
    invoiceSerialNumber: null,
    statedTotal: null,
    reason: 'is cut off',
    path: '',
  }
  await withTenantSql(strangerId, (sql) =>
    keepRejected(sql, {
      organizationId: strangerId,
      connectionId: strangerConnectionId,
      runId: randomUUID(),
      list: 'lines',
      rejections: [rejection],
    }),
  )
  expect(await listRejectedLines(organizationId)).toEqual([])
  expect(await listRejectedLines(strangerId)).toHaveLength(1)
  expect((await getOverview(organizationId, dayOf(0))).rejectedCount).toBe(0)
  const profile = {
    id: 'p',
    name: null,
    currency: null,
    paymentMethodType: null,
    billingPeriod: null,
    legalName: null,
    unreadablePaths: [],
    raw: '{}',
    contentHash: 'h',
  }
  const page = { organizationId, connectionId: strangerConnectionId, profiles: [profile] }
  await expect(withTenantSql(organizationId, (sql) => applyProfiles(sql, page))).rejects.toThrow('foreign key')
})
