/** The database's seal beside the one of TypeScript, of the same data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { writeFields } from '#lib/reconcile/close/seal.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decide } from '../review/decide.ts'
import { previewDecision } from '../review/preview-decision.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { readSealed, type Scope } from './read-seal.ts'
import { sealSlowly } from './test-support/read-sealed-fields.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ serialNumber: 'INV-1' }),
    makeInvoice({ serialNumber: 'inv-1', total: decimal('500.10'), creditUsed: decimal('10.000') }),
    makeInvoice({
      serialNumber: 'Größe, 9:x',
      profileId: null,
      mode: null,
      dueDate: day('2026-03-01'),
      currency: 'JPY',
    }),
    makeInvoice({ serialNumber: 'empty', taxesSummary: STATED }),
    makeInvoice({ serialNumber: 'other', profileId: 'profile-2' }),
    makeInvoice({ serialNumber: 'undated', issuingDate: null, dueDate: null }),
  ])
  await seedLines(organizationId, connectionId, [
    makeLine({ id: 'b', invoiceSerialNumber: 'INV-1' }),
    makeLine({ id: 'B', invoiceSerialNumber: 'inv-1', totalAmount: decimal('119.01') }),
    makeLine({ id: 'é 1,2', invoiceSerialNumber: 'inv-1', totalAmount: decimal('200'), taxRegime: null }),
    makeLine({
      id: 'z',
      invoiceSerialNumber: 'inv-1',
      quantity: decimal('0.50'),
      unitPrice: parseDecimal('1E-7') ?? decimal('1'),
    }),
    makeLine({ id: 'gone', invoiceSerialNumber: 'INV-1' }),
    makeLine({ id: 'jpy', invoiceSerialNumber: 'Größe, 9:x', currency: 'JPY', totalAmount: decimal('-119') }),
    makeLine({ id: 'u', invoiceSerialNumber: 'undated' }),
  ])
  await database.query(`update line set missing_since = now() where id = 'gone'`)
  await database.query(
    `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id,
       other_invoice_serial_number, currency, amount)
     values ($1, $2, 'z', 'duplicate_line', 'inv-1', 'b', 'INV-1', 'EUR', 119.00), ($1, $2, 'z', 'refund_above_original', 'inv-1', 'q"', 'q,', 'EUR', 1.50)`,
    [organizationId, connectionId],
  )
  const asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~B`] } } as const
  const seen = await previewDecision(organizationId, asked)
  const wish = { asked, ...seen, reason: 'agreed', note: null, expectedBack: null }
  expect((await decide(organizationId, { actor: personOf(owner.userId), name: 'Ada' }, wish)).kind).toBe('decided')
})
afterAll(() => database.drop())

const STATED = [
  {
    taxRegime: 'A',
    taxPercentage: decimal('19.00'),
    taxAmount: decimal('1.90'),
    subtotal: decimal('10'),
    total: decimal('11.90'),
  },
  {
    taxRegime: 'A',
    taxPercentage: decimal('19'),
    taxAmount: decimal('1.9'),
    subtotal: decimal('10'),
    total: decimal('11.9'),
  },
]

const scopes = (): Scope[] => [
  ...['INV-1', 'inv-1', 'Größe, 9:x', 'empty', 'undated'].map(
    (serialNumber): Scope => ({ kind: 'invoice', connectionId, serialNumber }),
  ),
  { kind: 'connection_month', connectionId, month: '2026-03' },
  { kind: 'profile_month', connectionId, profileId: 'profile-1', month: '2026-03' },
  { kind: 'connection_month', connectionId, month: '2026-04' },
]

test('the database makes the very seal that TypeScript makes, of odd texts, numbers, decisions and comparisons', async () => {
  await withTenantSql(organizationId, async (sql) => {
    const made: string[] = []
    for (const scope of scopes()) {
      const { sealHex, versions } = await readSealed(sql, organizationId, scope)
      expect(sealHex, JSON.stringify(scope)).toBe(await sealSlowly(sql, organizationId, scope, versions))
      made.push(sealHex)
    }
    expect(new Set(made).size).toBe(made.length)
  })
})

test('a month has its invoices, lines and money; what is gone is in no total', async () => {
  const month = await withTenantSql(organizationId, (sql) =>
    readSealed(sql, organizationId, { kind: 'connection_month', connectionId, month: '2026-03' }),
  )
  expect(month).toMatchObject({
    invoiceCount: 5,
    lineCount: 6,
    totals: [
      { currency: 'EUR', lineCount: 4 },
      { currency: 'JPY', lineCount: 1, total: '-119' },
    ],
  })
})

test('no two lists of fields are written alike', () => {
  expect(writeFields(['a', null, 'é,1:b', ''])).toBe('1:a,-,6:é,1:b,0:')
  expect(writeFields(['1:a,1:b'])).not.toBe(writeFields(['1:a', '1:b']))
})
