import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import type { InvoiceRecord, LineRecord } from '#lib/reconcile/records.ts'
import { setCheck } from '../../rules/change-rules.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../../test-support/seed.ts'
import { tryHoldAccount } from '../tally/hold-account.ts'
import { notePlainInvoices } from './note-plain-invoices.ts'
import { type CompletenessSurvey, surveyCompleteness } from './read-completeness.ts'

let database: TestDatabase
let owner: Awaited<ReturnType<typeof seedOrganization>>
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  const line = makeLine({ invoiceSerialNumber: 'INV-1' })
  await seedLines(organizationId, connectionId, [line])
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({
      serialNumber: 'INV-1',
      currency: line.currency,
      total: line.totalAmount,
      taxesSummary: [],
      raw: '{}',
    }),
  ])
})
beforeEach(async () => {
  await database.query('delete from plain_invoice')
  await database.query('delete from doubtful_invoice')
})
afterAll(() => database.drop())

/** An invoice that agrees with its lines. */
function makePlain(lines: LineRecord[]): InvoiceRecord {
  const { invoiceSerialNumber: serialNumber, currency } = lines[0] as LineRecord
  const total = sumDecimals(lines.map(({ totalAmount }) => totalAmount))
  return makeInvoice({ serialNumber, currency, total, taxesSummary: [], raw: '{}' })
}

const note = () => notePlainInvoices({ organizationId, connectionId })
const listPlain = () => database.query('select serial_number from plain_invoice')
const listDoubtful = () => database.query('select serial_number from doubtful_invoice')
const CHANGE = 'update line set total_amount = total_amount + 1 where organization_id = $1'

const survey = (sql: Sql) => surveyCompleteness(sql, organizationId, {})

/** As if nobody had judged, summed up or proved any invoice; what it finds is not kept. */
async function surveyAfresh(): Promise<CompletenessSurvey> {
  const found: CompletenessSurvey[] = []
  const undo = new Error('undo')
  await withTenantSql(organizationId, async (sql) => {
    await sql('delete from plain_invoice')
    await sql('delete from plain_invoice_sum')
    await sql('delete from doubtful_invoice')
    Reflect.deleteProperty(globalThis, 'tieoutProofs')
    found.push(await survey(sql))
    throw undo
  }).catch((thrown) => {
    if (thrown !== undo) throw thrown
  })
  return found[0] as CompletenessSurvey
}

const inOrder = ({ plain, proved }: CompletenessSurvey) => ({
  plain: plain.map((each) => JSON.stringify(each)).sort(),
  proved: proved.map((each) => JSON.stringify(each)).sort(),
})

test('nothing is judged while a transaction changes lines, and its change is seen once it has ended', async () => {
  await withTenantSql(organizationId, async (sql) => {
    await sql(CHANGE, [organizationId])
    expect(await note()).toBe(0)
  })
  expect(await note()).toBe(0)
  await database.query('update line set total_amount = total_amount - 1')
  expect(await note()).toBe(1)
})

test.each([
  ['a line', CHANGE, 'update line set total_amount = total_amount - 1'],
  [
    'the invoice',
    'update invoice set total = total + 1 where organization_id = $1',
    'update invoice set total = total - 1',
  ],
])('a change of %s that waited for a judgment takes it back', async (_, statement, undo) => {
  let change: Promise<unknown> = Promise.resolve()
  // a judgment that has looked at the invoice and is not stored yet
  await withTenantSql(organizationId, async (sql) => {
    expect(await tryHoldAccount(sql, { organizationId, connectionId })).toBe(true)
    change = withTenantSql(organizationId, (other) => other(statement, [organizationId]))
    await expect.poll(() => isWaiting(database), { timeout: 10_000 }).toBe(true)
    await sql(
      `insert into plain_invoice (organization_id, connection_id, serial_number, currency, total, line_count, is_gone)
       values ($1, $2, 'INV-1', 'EUR', 1, 1, false)`,
      [organizationId, connectionId],
    )
    await sql(`insert into doubtful_invoice (organization_id, connection_id, serial_number) values ($1, $2, 'INV-1')`, [
      organizationId,
      connectionId,
    ])
  })
  await change
  expect([await listPlain(), await listDoubtful()]).toEqual([[], []])
  await database.query(undo)
})

test('a judgment that ends in an error leaves no invoice behind', async () => {
  await database.query('alter table plain_invoice add constraint no_more check (false) not valid')
  await expect(note()).rejects.toThrow('no_more')
  await database.query('alter table plain_invoice drop constraint no_more')
  expect(await listPlain()).toEqual([])
  expect(await note()).toBe(1)
})

/** Changes to what a judgment looks at, of an invoice `n` (its `c` and `s` are its key). */
const OF_PLAIN = `
  with n as (select organization_id, connection_id as c, serial_number as s from plain_invoice
             where organization_id = $1 and md5(serial_number || $2) < '2')`
const OF_INVOICE = 'from n where i.connection_id = n.c and i.serial_number = n.s'
const OF_LINE = 'from n where l.connection_id = n.c and l.invoice_serial_number = n.s'
const REJECT = `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, invoice_serial_number, reason, path, first_run_id)
  select organization_id, c, 'lines', 'of ' || s || $2, '{}', s, 'invalid', $2, gen_random_uuid() from n returning 1`
const AFTERWARDS: Record<string, string> = {
  'another total': `update invoice i set total = i.total + 0.01 ${OF_INVOICE}`,
  'credit used': `update invoice i set credit_used = 1 ${OF_INVOICE}`,
  'other taxes': `update invoice i set taxes_summary = '[{"taxRegime":"STAR","taxPercentage":"19","subtotal":"1","taxAmount":"0.19","total":"1.19"}]' ${OF_INVOICE}`,
  'a credit document': `update invoice i set mode = 'credit-note' ${OF_INVOICE}`,
  'due before issued': `update invoice i set due_date = '2020-01-01' ${OF_INVOICE}`,
  'another month': `update invoice i set issuing_date = '2026-07-07' ${OF_INVOICE}`,
  'another profile': `update invoice i set profile_id = 'profile-3' ${OF_INVOICE}`,
  'another currency': `update invoice i set currency = 'NOK' ${OF_INVOICE}`,
  'more lines stated': `update invoice i set raw = '{"lines":{"total":77}}' ${OF_INVOICE}`,
  'gone from the platform': `update invoice i set missing_since = now() ${OF_INVOICE}`,
  'a line gone': `update line l set missing_since = now() ${OF_LINE} and md5(l.id) < '8'`,
  'a line of another amount': `update line l set total_amount = l.total_amount + 1 ${OF_LINE}`,
  'a line that names another invoice': `update line l set invoice_serial_number = 'INV-99' ${OF_LINE}`,
  'a line deleted': `delete from line l using n where l.connection_id = n.c and l.invoice_serial_number = n.s`,
  'an unreadable line': REJECT,
  'an unreadable line that names another invoice': `update rejected_line r
    set invoice_serial_number = (select s from n where c = r.connection_id order by s limit 1) where r.organization_id = $1 and r.path <> ''`,
  'an unreadable line read at last': 'update rejected_line r set resolved_at = now() where organization_id = $1',
  'the invoice deleted': `delete from invoice i using n where i.connection_id = n.c and i.serial_number = n.s`,
}

describe('a judgment is taken back by', () => {
  beforeAll(async () => {
    const serials = Array.from({ length: 80 }, (_, at) => `INV-2-${at}`)
    const lines = serials.flatMap((invoiceSerialNumber) => [0, 1].map(() => makeLine({ invoiceSerialNumber })))
    await seedLines(organizationId, connectionId, lines)
    await seedInvoices(
      organizationId,
      connectionId,
      serials.map((serial) => makePlain(lines.filter(({ invoiceSerialNumber }) => invoiceSerialNumber === serial))),
    )
  })

  test.each(Object.keys(AFTERWARDS))('%s', async (name) => {
    expect(await note()).toBeGreaterThan(0)
    const before = inOrder(await withTenantSql(organizationId, survey))
    const change = AFTERWARDS[name] as string
    await withTenantSql(organizationId, (sql) => sql(`${OF_PLAIN} ${change}`, [organizationId, name]))
    const after = inOrder(await withTenantSql(organizationId, survey))
    expect(after).not.toEqual(before)
    expect(after).toEqual(inOrder(await surveyAfresh()))
  })
})

describe('the sums of plain invoices', () => {
  const KEY = 'connection_id, profile_id, month, currency, is_gone'
  const SUMS = `select ${KEY}, sum(invoice_count)::int as invoices, sum(line_count)::int as lines, trim_scale(sum(total)) as total`
  const listSums = () =>
    database.query(`${SUMS} from plain_invoice_sum group by ${KEY} having sum(invoice_count) <> 0 order by ${KEY}`)
  const countRows = () => database.query('select id from plain_invoice_sum')
  const addUp = () =>
    database.query(
      `${SUMS} from (select *, left(issuing_date::text, 7) as month, 1 as invoice_count from plain_invoice) p
       group by ${KEY} order by ${KEY}`,
    )
  const takeOut = (sql: Sql, share: string) =>
    sql(`delete from plain_invoice where organization_id = $1 and md5(serial_number) < $2`, [organizationId, share])

  test('are theirs after each change, in one row of a key once they are judged', async () => {
    await note()
    const all = await addUp()
    expect(all.length).toBeGreaterThan(0)
    expect(await listSums()).toEqual(all)
    await withTenantSql(organizationId, (sql) => takeOut(sql, '5'))
    expect(await countRows()).not.toHaveLength(all.length)
    expect(await listSums()).toEqual(await addUp())
    await note()
    expect(await listSums()).toEqual(all)
    expect(await countRows()).toHaveLength(all.length)
  })

  test('keep what is taken out while they are folded', async () => {
    await note()
    await withTenantSql(organizationId, (sql) => takeOut(sql, '5'))
    await withTenantSql(organizationId, async (sql) => {
      await takeOut(sql, '9')
      await note()
    })
    expect(await listSums()).toEqual(await addUp())
  })

  test('are not written where nothing has changed', async () => {
    await note()
    const before = await countRows()
    await note()
    expect(await countRows()).toEqual(before)
  })

  test('refuse an invoice that is changed in place, and go with all of them', async () => {
    await note()
    await expect(database.query('update plain_invoice set total = 1')).rejects.toThrow('never changed')
    await database.query('truncate plain_invoice')
    expect(await countRows()).toEqual([])
  })
})

test.each(
  ['that nobody has judged', 'that was judged'].flatMap((state) => [
    [state, 'total', 'update invoice set total = total + 1'],
    [state, 'lines', 'update line set total_amount = total_amount + 2'],
    [state, 'unreadable lines', 'update rejected_line set resolved_at = now() where resolved_at is null'],
    [state, 'removed lines', `update line set missing_since = now() where md5(id) like '%${state.length % 10}'`],
  ]),
)('a doubtful invoice %s is proved anew when its %s change', async (state, _, change) => {
  await database.query('update invoice set total = total + 0.01')
  await database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, invoice_serial_number, reason, path, first_run_id)
     select $1, $2, 'lines', serial_number, '{}', serial_number, 'invalid', '', gen_random_uuid() from invoice on conflict do nothing`,
    [organizationId, connectionId],
  )
  await database.query('update rejected_line set resolved_at = null')
  if (state === 'that was judged') {
    await note()
    expect(await listDoubtful()).not.toEqual([])
  }
  const before = inOrder(await withTenantSql(organizationId, survey))
  await database.query(change)
  const after = inOrder(await withTenantSql(organizationId, survey))
  expect(after.proved).not.toEqual(before.proved)
  expect(after).toEqual(inOrder(await surveyAfresh()))
})

test('a rule that changes is heeded by the next survey', async () => {
  const codes = async () =>
    (await withTenantSql(organizationId, survey)).proved.flatMap(({ findings }) => findings.map(({ code }) => code))
  await database.query(`update invoice set due_date = '2020-01-01' where serial_number < 'INV-2-3'`)
  expect(await codes()).toContain('due_before_issued')
  const who = { organizationId, actor: personOf(owner.userId) }
  await setCheck(who, 'invoice_due_before_issued', { level: 'off', tolerance: {} })
  expect(await codes()).not.toContain('due_before_issued')
})
