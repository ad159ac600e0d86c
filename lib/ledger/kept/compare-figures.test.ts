import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/audit/model.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { makeSentLines, makeVariedLines } from '../test-support/seed-varied-lines.ts'
import { compareFigures, listFigureKinds, readDifferences, repairFigures } from './compare-figures.ts'
import { compareLines } from './comparisons/compare-lines.ts'
import { noteInvoiceWords } from './invoice-words/note-invoice-words.ts'
import { notePlainInvoices } from './plain-invoices/note-plain-invoices.ts'

const OPERATOR: Actor = { kind: 'operator', name: 'doctor' }

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let other: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase('worker')
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  other = await seedConnection(database.query, owner)
  // the last of them alone on an invoice that is plain
  const lines = [...makeVariedLines(240), makeLine({ id: 'plain', invoiceSerialNumber: 'INV-PLAIN' })]
  for (const account of [connectionId, other]) {
    await seedLines(organizationId, account, lines)
    const serials = [...new Set(lines.map(({ invoiceSerialNumber }) => invoiceSerialNumber))]
    await seedInvoices(
      organizationId,
      account,
      serials.flatMap((serialNumber) => {
        const own = lines.filter((line) => line.invoiceSerialNumber === serialNumber)
        const [first] = own
        if (first === undefined) return []
        const total = sumDecimals(own.map(({ totalAmount }) => totalAmount))
        return makeInvoice({ serialNumber, currency: first.currency, total, taxesSummary: [], raw: '{}' })
      }),
    )
    await makeKept(account)
  }
})

/** What the worker makes of an account. */
async function makeKept(account: ConnectionId): Promise<void> {
  await compareLines({ organizationId, connectionId: account })
  await notePlainInvoices({ organizationId, connectionId: account })
  await noteInvoiceWords({ organizationId, connectionId: account })
}
afterAll(() => database.drop())

const compare = () => compareFigures(organizationId, connectionId)
/** Changes a kept figure as no statement of the product can: without the triggers. */
const TABLES = [
  'line_rollup',
  'trip_rollup',
  'invoice_rollup',
  'invoice',
  'plain_invoice',
  'plain_invoice_sum',
  'line_comparison',
]
const turn = (how: 'enable' | 'disable') => TABLES.map((table) => `alter table ${table} ${how} trigger user`)
async function plant(sql: string): Promise<void> {
  const planted = sql.replaceAll('$account', `'${connectionId}'`).replaceAll('$owner', `'${organizationId}'`)
  for (const each of ['begin', ...turn('disable'), planted, ...turn('enable'), 'commit']) await database.query(each)
}

const GRAINS = [
  'days_vertical',
  'days_cost_center',
  'cost_center_vertical',
  'service',
  'days_profile',
  'days_tax',
  'days_issued',
]
const ONE = (table: string, condition = 'true') =>
  `organization_id = $owner and ctid = (
     select min(ctid) from ${table} where organization_id = $owner and connection_id = $account and ${condition})`

/** One wrong figure of each kind, and what it is called. */
const WRONG: [what: string, sql: string, kind: string][] = [
  ...GRAINS.map((grain): [string, string, string] => [
    `a total by ${grain}`,
    `update line_rollup set total_amount = total_amount + 0.01 where ${ONE('line_rollup', `grain = '${grain}'`)}`,
    `sums by ${grain}`,
  ]),
  [
    'a sum that has no lines',
    `insert into line_rollup (organization_id, connection_id, grain, cell, currency, line_count, total_amount, finding_count)
     select organization_id, id, 'service', gen_random_uuid(), 'XXX', 1, 1, 0 from connection where organization_id = $owner and id = $account`,
    'sums by service',
  ],
  [
    'a sum that is not there',
    `delete from line_rollup where ${ONE('line_rollup', "grain = 'days_tax'")}`,
    'sums by days_tax',
  ],
  [
    'a count of findings',
    `update line_rollup set finding_count = finding_count + 1 where ${ONE('line_rollup', "grain = 'service'")}`,
    'sums by service',
  ],
  [
    'the states of lines',
    `update line_rollup set line_states = line_states + 1 where ${ONE('line_rollup', "grain = 'service'")}`,
    'sums by service',
  ],
  [
    'where a line stands',
    `insert into line_review (organization_id, connection_id, line_id, state, decision, seen_hash, currency, amount)
     select organization_id, connection_id, id, 'accepted', 1, ''::bytea, currency, total_amount from line where ${ONE('line')}`,
    'decisions about lines',
  ],
  [
    'the total of a trip',
    `update trip_rollup set total_amount = total_amount - 1 where ${ONE('trip_rollup')}`,
    'sums of trips',
  ],
  [
    'the label of a trip',
    `update trip_rollup set dated_label = 'another' where ${ONE('trip_rollup', 'dated_label is not null')}`,
    'sums of trips',
  ],
  [
    'the lines of an invoice',
    `update invoice_rollup set line_count = line_count + 1 where ${ONE('invoice_rollup')}`,
    'sums of invoices',
  ],
  [
    'the tax of an invoice',
    `update invoice_rollup set tax_amount = tax_amount + 1 where ${ONE('invoice_rollup')}`,
    'sums of invoices',
  ],
  [
    'the limits of an invoice',
    `update invoice_rollup set greatest_amount = least_amount - 1 where ${ONE('invoice_rollup', 'tax_percentage is not null')}`,
    'limits of invoices',
  ],
  [
    'the lines of the account',
    'update connection_tally set line_count = line_count + 1 where organization_id = $owner and connection_id = $account',
    'counts of the account',
  ],
  [
    'the trips of the account',
    'update connection_tally set trip_count = trip_count - 1 where organization_id = $owner and connection_id = $account',
    'counts of the account',
  ],
  [
    'a sum of plain invoices',
    `update plain_invoice_sum set total = total + 1 where ${ONE('plain_invoice_sum')}`,
    'sums of plain invoices',
  ],
  [
    'an invoice that is plain no more',
    `update invoice set total = total + 1 where organization_id = $owner and connection_id = $account
     and serial_number = (select min(serial_number) from plain_invoice where organization_id = $owner and connection_id = $account)`,
    'plain invoices',
  ],
  [
    'an invoice that is to be proved for no reason',
    `with gone as (delete from plain_invoice where ${ONE('plain_invoice')} returning organization_id, connection_id, serial_number)
     insert into doubtful_invoice (organization_id, connection_id, serial_number) select * from gone`,
    'judgments of invoices',
  ],
  [
    'words that are not noted',
    `update invoice_words set trigrams = 0::bit(4096) where ${ONE('invoice_words')}`,
    'words of invoices',
  ],
  [
    'a finding beside other lines that nobody found',
    `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, currency, amount)
     select organization_id, connection_id, id, 'refund_without_original', invoice_serial_number, currency, 1 from line where ${ONE('line')}`,
    'findings beside other lines',
  ],
]

test('nothing differs in an account that the product has written', async () => {
  expect(await compare()).toEqual([])
  expect((await listFigureKinds(database.query)).length).toBeGreaterThan(12)
})

test('what lines were is read a few times, however many changes there are, before statistics know any', async () => {
  const owner = await seedOrganization(database.query, 'Changing')
  const changing = await seedConnection(database.query, owner)
  for (const seed of [1, 2, 3, 4]) await seedLines(owner.organizationId, changing, makeSentLines(60, seed))
  const scans = await withTenantSql(owner.organizationId, async (sql) => {
    expect(await readDifferences(sql, owner.organizationId, changing)).toEqual([])
    return sql<{ table: string; count: number }>(
      `select relname as table, (seq_scan + idx_scan)::int as count from pg_stat_xact_user_tables
       where relname in ('line_past', 'line_version') `,
    )
  })
  expect(scans.filter(({ count }) => count > 10)).toEqual([])
})

describe('one wrong figure of each kind is named with both values, and made anew', () => {
  test.each(WRONG)('%s', async (_, sql, kind) => {
    const untouched = await database.query('select * from line_rollup where connection_id = $1 order by grain, cell', [
      other,
    ])
    await plant(sql)
    const found = await compare()
    expect(found.map(({ name }) => name)).toContain(kind)
    for (const { kept, computed } of found) expect(kept).not.toBe(computed)
    expect(await compareFigures(organizationId, other)).toEqual([])
    if (sql.startsWith('update invoice set')) await plant(sql.replace('total + 1', 'total - 1'))
    await repairFigures(organizationId, connectionId, OPERATOR, found)
    expect(await compare()).toEqual([])
    const [entry] = await database.query<{ action: string; subject_id: string; before: string }>(
      'select action, subject_id, before from audit_entry where organization_id = $1 order by number desc limit 1',
      [organizationId],
    )
    expect(entry).toMatchObject({ action: 'figures.repaired', subject_id: connectionId })
    expect(entry?.before).toContain(kind)
    expect(
      await database.query('select * from line_rollup where connection_id = $1 order by grain, cell', [other]),
    ).toEqual(untouched)
    await makeKept(connectionId)
    expect(await compare(), 'judged again').toEqual([])
  })
})

test('a repair that leaves a wrong figure changes nothing', async () => {
  await plant(`update line_rollup set total_amount = total_amount + 1 where ${ONE('line_rollup')}`)
  const before = await database.query('select * from line_rollup where connection_id = $1 order by grain, cell', [
    connectionId,
  ])
  // a line that another statement of the repair cannot see right: its sums come out wrong
  await database.query(
    `create or replace function to_ten_days(day date) returns date language sql immutable parallel safe return day - 1`,
  )
  await expect(repairFigures(organizationId, connectionId, OPERATOR, await compare())).rejects.toThrow('is still')
  expect(
    await database.query('select * from line_rollup where connection_id = $1 order by grain, cell', [connectionId]),
  ).toEqual(before)
})
