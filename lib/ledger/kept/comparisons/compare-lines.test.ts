import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { getLine } from '../../read/get-line.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../../test-support/seed.ts'
import { notePlainInvoices } from '../plain-invoices/note-plain-invoices.ts'
import { compareLines } from './compare-lines.ts'

type Account = { organizationId: OrganizationId; connectionId: ConnectionId }

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let account: Account

beforeAll(async () => {
  database = await createTestDatabase('worker')
  owner = await seedOrganization(database.query)
})
beforeEach(async () => {
  account = { ...owner, connectionId: await seedConnection(database.query, owner) }
})
afterAll(() => database.drop())

/** A line `id` of an invoice, in the order of the invoices' names. */
type Given = [id: string, invoice: string, amount: string, change?: Partial<LineRecord>]

const DAYS: Record<string, string> = { A: '2026-01-31', B: '2026-02-28', C: '2026-03-31', D: '2026-04-30' }

const toLine = ([id, invoice, amount, change = {}]: Given) =>
  makeLineOf(amount, {
    id,
    invoiceSerialNumber: invoice,
    issuingDate: day(DAYS[invoice.slice(0, 1)] ?? '2026-05-31'),
    invoiceMode: 'reseller',
    ...change,
  })

/** A refund of a line of `makeLineOf`, in other words and on another day. */
const back = (id: string, invoice: string, amount: string, change: Partial<LineRecord> = {}): Given => [
  id,
  invoice,
  amount,
  { description: `Refund ${id}`, expenseDate: day('2026-07-07'), ...change },
]

async function store(lines: readonly Given[], of: Account = account) {
  await seedLines(of.organizationId, of.connectionId, lines.map(toLine))
}

const list = (of: Account = account) =>
  database
    .query<Record<'line' | 'code' | 'invoice' | 'other' | 'amount', string>>(
      `select line_id as line, code, invoice_serial_number as invoice, other_invoice_serial_number || ' ' || other_line_id as other,
         currency || ' ' || amount as amount
       from line_comparison where connection_id = $1 order by line_id, code`,
      [of.connectionId],
    )
    .then((rows) => rows.map(({ line, code, invoice, other, amount }) => [line, code, invoice, other, amount]))

async function compare(of: Account = account) {
  await compareLines(of)
  return list(of)
}

const duplicate = (line: string, invoice: string, other: string, amount = 'EUR 84.00') => [
  line,
  'duplicate_line',
  invoice,
  other,
  amount,
]
const unoriginal = (line: string, invoice: string, amount = 'EUR 84.00') => [
  line,
  'refund_without_original',
  invoice,
  null,
  amount,
]
const above = (line: string, invoice: string, other: string, amount: string) => [
  line,
  'refund_above_original',
  invoice,
  other,
  amount,
]

const CASES: [why: string, lines: Given[], found: (string | null)[][]][] = [
  [
    'a line on two invoices is one too many, on the later',
    [
      ['1', 'B', '84.00'],
      ['2', 'A', '84.00'],
    ],
    [duplicate('1', 'B', 'A 2')],
  ],
  [
    'the first is told by the day of issue, then by the number',
    [
      ['1', 'A2', '84.00'],
      ['2', 'A1', '84.00'],
    ],
    [duplicate('1', 'A2', 'A1 2')],
  ],
  [
    'an invoice without a day of issue comes last',
    [
      ['1', 'A', '84.00', { issuingDate: null }],
      ['2', 'B', '84.00'],
    ],
    [duplicate('1', 'A', 'B 2')],
  ],
  [
    'three copies are two too many',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.00'],
      ['3', 'C', '84.00'],
    ],
    [duplicate('2', 'B', 'A 1'), duplicate('3', 'C', 'A 1')],
  ],
  [
    'two on the later invoice are both too many',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.00'],
      ['3', 'B', '84.00'],
    ],
    [duplicate('2', 'B', 'A 1'), duplicate('3', 'B', 'A 1')],
  ],
  [
    'two on the first invoice are none too many',
    [
      ['1', 'A', '84.00'],
      ['2', 'A', '84.00'],
      ['3', 'B', '84.00'],
    ],
    [duplicate('3', 'B', 'A 1')],
  ],
  [
    'the same figures with other decimals are the same',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.000'],
    ],
    [duplicate('2', 'B', 'A 1', 'EUR 84.000')],
  ],
  [
    'lines that say no trip and no service are compared, too',
    [
      ['1', 'A', '84.00', { tripId: null, service: null }],
      ['2', 'B', '84.00', { tripId: null, service: null }],
    ],
    [duplicate('2', 'B', 'A 1')],
  ],
  [
    'a status, a cost center and a profile may differ',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.00', { costCenter: null, invoiceStatus: 'unpaid', profileId: 'p' }],
    ],
    [duplicate('2', 'B', 'A 1')],
  ],
  ...(
    [
      ['on one invoice', { invoiceSerialNumber: 'A' }],
      ['of another day', { expenseDate: day('2026-03-05') }],
      ['in other words', { description: 'Hotel, 2 nights' }],
      ['of another traveler', { travelerNames: ['Bo Berg'] }],
      ['of one traveler more', { travelerNames: ['Tove Lind', 'Bo Berg'] }],
      ['of another trip', { tripId: '10224' }],
      ['of no trip', { tripId: null }],
      ['of another service', { service: 'extra' }],
      ['in another currency', { currency: 'GBP' }],
      ['of another total', { totalAmount: decimal('84.01') }],
      ['of another unit price', { unitPrice: decimal('42.00') }],
      ['of another quantity', { quantity: decimal('2') }],
    ] satisfies [string, Partial<LineRecord>][]
  ).map(([why, change]): (typeof CASES)[number] => [
    `a line ${why} is another line`,
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.00', change],
    ],
    [],
  ]),
  [
    'nothing is charged twice for nothing',
    [
      ['1', 'A', '0.00'],
      ['2', 'B', '0.00'],
    ],
    [],
  ],
  [
    'a credit document’s line above zero may be the refund',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '84.00', { invoiceMode: 'Credit-reseller' }],
    ],
    [],
  ],
  [
    'a copy that was refunded is settled, in whatever words',
    [['1', 'A', '84.00'], back('2', 'B', '-84.00'), ['3', 'C', '84.00']],
    [],
  ],
  [
    'a refund takes back one copy, the earliest',
    [['1', 'A', '84.00'], ['2', 'B', '84.00'], ['3', 'C', '84.00'], back('4', 'D', '-84.00')],
    [duplicate('3', 'C', 'A 1')],
  ],
  [
    'one refund does not settle copies of two lines',
    [
      ['1', 'A', '84.00'],
      ['2', 'A', '84.00', { description: 'Seat' }],
      ['3', 'B', '84.00'],
      ['4', 'B', '84.00', { description: 'Seat' }],
      back('5', 'D', '-84.00'),
    ],
    [duplicate('4', 'B', 'A 2')],
  ],
  ...(
    [
      ['of another size', '-83.99', {}],
      ['of another trip', '-84.00', { tripId: '10224' }],
      ['of another service', '-84.00', { service: 'extra' }],
      ['in another currency', '-84.00', { currency: 'GBP' }],
    ] satisfies [string, string, Partial<LineRecord>][]
  ).map(([why, amount, change]): (typeof CASES)[number] => [
    `a refund ${why} settles no copy`,
    [['1', 'A', '84.00'], ['2', 'B', '84.00'], back('3', 'C', amount, change)],
    [
      duplicate('2', 'B', 'A 1'),
      ...(why === 'of another size'
        ? []
        : [unoriginal('3', 'C', `${'currency' in change ? change.currency : 'EUR'} 84.00`)]),
    ],
  ]),
  [
    'a refund on two invoices is one too many, and more than was paid',
    [
      ['1', 'A', '84.00'],
      ['2', 'B', '-84.00'],
      ['3', 'C', '-84.00'],
    ],
    [duplicate('3', 'C', 'B 2'), above('3', 'C', 'A 1', 'EUR 84.00')],
  ],
  [
    'two charges may be refunded twice',
    [
      ['1', 'A', '84.00'],
      ['2', 'A', '84.00'],
      ['3', 'B', '-84.00'],
      ['4', 'C', '-84.00'],
    ],
    [],
  ],

  ['a refund of nothing has no original', [back('1', 'A', '-84.00')], [unoriginal('1', 'A')]],
  [
    'each of two has none',
    [back('1', 'A', '-84.00'), back('2', 'B', '-10.00')],
    [unoriginal('1', 'A'), unoriginal('2', 'B', 'EUR 10.00')],
  ],
  ['a refund of as much as was paid is right', [['1', 'A', '84.00'], back('2', 'B', '-84.00')], []],
  ['a refund may come before its original', [back('1', 'A', '-84.00'), ['2', 'B', '84.00']], []],
  ['several lines paid for what is refunded', [['1', 'A', '50.00'], ['2', 'A', '34.00'], back('3', 'B', '-84.00')], []],
  [
    'what is refunded above is the last refund’s',
    [['1', 'B', '70.00'], ['2', 'A', '14.00'], back('3', 'D', '-50.00'), back('4', 'C', '-50.00')],
    [above('3', 'D', 'A 2', 'EUR 16.00')],
  ],
  [
    'another trip paid for nothing here',
    [['1', 'A', '84.00', { tripId: '1' }], back('2', 'B', '-84.00')],
    [unoriginal('2', 'B')],
  ],
  [
    'another service paid for nothing here',
    [['1', 'A', '84.00', { service: 'extra' }], back('2', 'B', '-84.00')],
    [unoriginal('2', 'B')],
  ],
  [
    'another currency paid for nothing here',
    [['1', 'A', '84.00', { currency: 'GBP' }], back('2', 'B', '-84.00')],
    [unoriginal('2', 'B')],
  ],
  ['a refund that does not say its trip cannot be looked for', [back('1', 'A', '-84.00', { tripId: null })], []],
  ['a refund that does not say its service cannot be looked for', [back('1', 'A', '-84.00', { service: null })], []],
]

test.each(CASES)('%s', async (_, lines, found) => {
  await store(lines)
  expect(await compare()).toEqual(found)
})

test('lines of two accounts and of two organizations are not compared', async () => {
  const other = await seedOrganization(database.query, 'Beta')
  const accounts = [
    account,
    { ...owner, connectionId: await seedConnection(database.query, owner, 'Acme Asia') },
    { ...other, connectionId: await seedConnection(database.query, other) },
  ]
  for (const [at, each] of accounts.entries()) {
    await store([[`${at}`, ['A', 'B', 'C'][at] ?? '', '84.00']], each)
    await store([[`${at} back`, 'D', ['-84.00', '-1.00', '-2.00'][at] ?? '', { description: 'Refund' }]], each)
  }
  for (const each of accounts) expect(await compare(each)).toEqual([])
})

describe('by difference', () => {
  /** Rows and the transactions that wrote them. */
  const versions = () =>
    database.query('select line_id, code, xmin::text from line_comparison where connection_id = $1 order by 1, 2', [
      account.connectionId,
    ])
  const change = (set: string, id: string) =>
    database.query(`update line set ${set} where connection_id = $1 and id = $2`, [account.connectionId, id])

  beforeEach(async () => {
    await store([['1', 'A', '84.00'], ['2', 'B', '84.00'], back('3', 'B', '-10.00', { tripId: 'x' })])
    expect(await compare()).toEqual([duplicate('2', 'B', 'A 1'), unoriginal('3', 'B', 'EUR 10.00')])
  })

  test('what was compared is not compared again until a line changes, and then only what is different is written', async () => {
    const before = await versions()
    await database.query('delete from line_comparison where connection_id = $1 and line_id = $2', [
      account.connectionId,
      '3',
    ])
    expect(await compareLines(account)).toBe(0)
    expect(await list()).toEqual([duplicate('2', 'B', 'A 1')])
    await store([['4', 'C', '5.00']])
    expect(await compareLines(account)).toBe(1)
    expect(await list()).toEqual([duplicate('2', 'B', 'A 1'), unoriginal('3', 'B', 'EUR 10.00')])
    expect((await versions())[0]).toEqual(before[0])
  })

  test.each<[why: string, act: () => Promise<unknown>, found: (string | null)[][]]>([
    [
      'a new copy',
      () => store([['4', 'C', '84.00']]),
      [duplicate('2', 'B', 'A 1'), unoriginal('3', 'B', 'EUR 10.00'), duplicate('4', 'C', 'A 1')],
    ],
    ['a refund of the copy', () => store([back('4', 'C', '-84.00')]), [unoriginal('3', 'B', 'EUR 10.00')]],
    [
      'the original of a refund',
      () => store([['4', 'C', '9.00', { tripId: 'x' }]]),
      [duplicate('2', 'B', 'A 1'), above('3', 'B', 'C 4', 'EUR 1.00')],
    ],
    ['another description', () => change(`description = 'Bar'`, '2'), [unoriginal('3', 'B', 'EUR 10.00')]],
    [
      'another amount of a refund',
      () => change('total_amount = -11', '3'),
      [duplicate('2', 'B', 'A 1'), unoriginal('3', 'B', 'EUR 11')],
    ],
    [
      'another invoice',
      () => change(`invoice_serial_number = 'D'`, '2'),
      [duplicate('2', 'D', 'A 1'), unoriginal('3', 'B', 'EUR 10.00')],
    ],
    [
      'a later day of issue of the first',
      () => change(`issuing_date = '2026-12-31'`, '1'),
      [duplicate('1', 'A', 'B 2'), unoriginal('3', 'B', 'EUR 10.00')],
    ],
    [
      'the copy removed by the platform',
      () => change('missing_since = now()', '2'),
      [unoriginal('3', 'B', 'EUR 10.00')],
    ],
    [
      'the first removed by the platform',
      () => change('missing_since = now()', '1'),
      [unoriginal('3', 'B', 'EUR 10.00')],
    ],
    [
      'the copy erased',
      () => database.query('delete from line where connection_id = $1 and id = $2', [account.connectionId, '2']),
      [unoriginal('3', 'B', 'EUR 10.00')],
    ],
  ])('%s is found, and nothing else is written', async (_, act, found) => {
    await act()
    expect(await compare()).toEqual(found)
    await change('cost_center = cost_center', '1')
    expect(await compareLines(account)).toBe(0)
  })

  test('a line that returns to the platform is compared again', async () => {
    await change('missing_since = now()', '2')
    expect(await compare()).toHaveLength(1)
    await change('missing_since = null', '2')
    expect(await compare()).toHaveLength(2)
  })

  test('lines of an invoice that is gone take no part, until it returns', async () => {
    await seedInvoices(account.organizationId, account.connectionId, [makeInvoice({ serialNumber: 'B' })])
    const mark = (value: string) =>
      database.query(`update invoice set missing_since = ${value} where connection_id = $1`, [account.connectionId])
    await mark('now()')
    expect(await compare()).toEqual([])
    await mark('null')
    expect(await compare()).toHaveLength(2)
  })

  test('a connection that is deleted takes its findings along', async () => {
    await database.query('delete from connection where id = $1', [account.connectionId])
    expect(await list()).toEqual([])
    expect(
      await database.query('select from line_comparison_state where connection_id = $1', [account.connectionId]),
    ).toEqual([])
  })

  test('a line says what it is beside the other one', async () => {
    const line = await getLine(account.organizationId, account.connectionId, '2')
    expect(line?.comparisons).toEqual([
      { code: 'duplicate_line', currency: 'EUR', amount: '84.00', other: { id: '1', invoiceSerialNumber: 'A' } },
    ])
    const refund = await getLine(account.organizationId, account.connectionId, '3')
    expect(refund?.comparisons).toEqual([
      { code: 'refund_without_original', currency: 'EUR', amount: '10.00', other: null },
    ])
  })
})

test('two workers at once write each finding once', async () => {
  await store(
    Array.from(
      { length: 40 },
      (_, at): Given => [`${at}`, ['A', 'B'][at % 2] ?? '', '84.00', { tripId: `${at >> 1}` }],
    ),
  )
  const written = await Promise.all([1, 2, 3].map(() => compareLines(account)))
  expect(written.sort()).toEqual([0, 0, 20])
  expect(await list()).toHaveLength(20)
})

test('a change that is committed while lines are compared leaves the account due', async () => {
  await store([
    ['1', 'A', '84.00'],
    ['2', 'B', '84.00'],
  ])
  let comparison: Promise<number> = Promise.resolve(0)
  await withTenantSql(account.organizationId, async (sql) => {
    await sql(`update line set description = 'Bar' where connection_id = $1 and id = '2'`, [account.connectionId])
    comparison = compareLines(account)
    await expect.poll(() => isWaiting(database)).toBe(true)
  })
  // it had not seen the change
  expect(await comparison).toBe(1)
  expect(await compare()).toEqual([])
})

test('an invoice is not plain while one of its lines is a finding, whatever was noted first', async () => {
  await store([
    ['1', 'A', '84.00'],
    ['2', 'B', '84.00'],
  ])
  const invoice = (serialNumber: string) =>
    makeInvoice({ serialNumber, total: decimal('84.00'), taxesSummary: [], raw: '{}' })
  await seedInvoices(account.organizationId, account.connectionId, [invoice('A'), invoice('B')])
  const listPlain = async () => {
    const rows = await database.query(
      'select serial_number as name from plain_invoice where connection_id = $1 order by 1',
      [account.connectionId],
    )
    return rows.map(({ name }) => name)
  }
  await notePlainInvoices(account)
  expect(await listPlain()).toEqual(['A', 'B'])
  await compareLines(account)
  expect(await listPlain()).toEqual(['A'])
  await notePlainInvoices(account)
  expect(await listPlain()).toEqual(['A'])
  await store([back('3', 'C', '-84.00')])
  await compareLines(account)
  await notePlainInvoices(account)
  expect(await listPlain()).toEqual(['A', 'B'])
})
