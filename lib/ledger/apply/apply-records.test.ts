import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import type { KeptRejection, ProvedLine } from '#lib/reconcile/records.ts'
import { getLine } from '../read/get-line.ts'
import { listRejectedLines } from '../read/list-rejected-lines.ts'
import {
  applyInvoices,
  applyLines,
  applyProfiles,
  decimal,
  makeInvoice,
  makeLine,
  packRecords,
  seedConnection,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { APPLY_LINES_SQL, applyPackedLines } from './apply-lines.ts'
import { keepRejected } from './keep-rejected.ts'
import { LINES } from './line-target.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
})

const apply = (lines: readonly ProvedLine[]) => seedLines(organizationId, connectionId, lines)
const versions = () =>
  database.query('select id, xmin::text, changed_at from line where organization_id = $1 order by id', [organizationId])

test('inserts new lines, updates changed ones, leaves unchanged ones alone, and the counts add up', async () => {
  const [first, second, third] = [makeLine(), makeLine(), makeLine()] as const
  expect(await apply([first, second])).toEqual({ inserted: 2, updated: 0, unchanged: 0 })
  const before = await versions()
  const changed = { ...second, invoiceStatus: 'unpaid', contentHash: 'another' }
  expect(await apply([first, changed, third])).toEqual({ inserted: 1, updated: 1, unchanged: 1 })
  const after = await versions()
  expect(after[0]).toEqual(before[0])
  expect((after[1]?.changed_at as Date) > (before[1]?.changed_at as Date)).toBe(true)
  expect(await getLine(organizationId, connectionId, second.id)).toMatchObject({ invoiceStatus: 'unpaid' })
})

test('applying the same page again writes nothing', async () => {
  const lines = Array.from({ length: 200 }, () => makeLine())
  await apply(lines)
  const before = await versions()
  expect(await apply(lines)).toEqual({ inserted: 0, updated: 0, unchanged: 200 })
  expect(await versions()).toEqual(before)
})

test('lines taken for new that are stored already are written as any others, and counted right', async () => {
  const [kept, changed, added] = [makeLine(), makeLine(), makeLine()] as const
  await apply([kept, changed])
  const before = await versions()
  const raw = `${changed.raw} `
  const items = [kept, { ...changed, raw, textHash: hashText(raw), contentHash: 'another' }, added]
  const packed = packRecords(LINES, items, (part) => ({ part, isNew: true }))
  const written = await withTenantSql(organizationId, (sql) =>
    applyPackedLines(sql, { organizationId, connectionId }, packed),
  )
  expect(written.sort((a, b) => a.part - b.part)).toEqual([
    { part: 1, inserted: 0, updated: 1 },
    { part: 2, inserted: 1, updated: 0 },
  ])
  expect((await versions())[0]).toEqual(before[0])
  expect((await getLine(organizationId, connectionId, changed.id))?.rawText).toBe(raw)
})

test('lines that are new are inserted by page, each with its record', async () => {
  const lines = [makeLine(), makeLine(), makeLine()]
  const packed = packRecords(LINES, lines, (at) => ({ part: at > 0 ? 1 : 0, isNew: true }))
  const written = await withTenantSql(organizationId, (sql) =>
    applyPackedLines(sql, { organizationId, connectionId }, packed),
  )
  expect(written.sort((a, b) => a.part - b.part)).toEqual([
    { part: 0, inserted: 1, updated: 0 },
    { part: 1, inserted: 2, updated: 0 },
  ])
  for (const line of lines) expect((await getLine(organizationId, connectionId, line.id))?.rawText).toBe(line.raw)
})

test('a line cannot come without its connection, cannot change it, and goes with it', async () => {
  const owner = await seedOrganization(database.query, 'Elsewhere')
  const elsewhere = await seedConnection(database.query, owner)
  const line = makeLine()
  await expect(seedLines(organizationId, elsewhere, [line])).rejects.toThrow('connection does not exist')
  await apply([line])
  await expect(
    database.query('update line set connection_id = $1 where organization_id = $2', [elsewhere, organizationId]),
  ).rejects.toThrow('stays with its connection')
  await database.query('delete from connection where id = $1', [connectionId])
  for (const table of ['line', 'line_payload', 'line_rollup', 'trip_rollup', 'invoice_rollup'])
    expect(await database.query(`select from ${table} where organization_id = $1`, [organizationId])).toEqual([])
})

test('a connection that is being deleted takes no line in, and a line that is being added goes with it', async () => {
  const remover = new pg.Client({ connectionString: database.url, options: '-c tieout.scope=system' })
  await remover.connect()
  const remove = () => remover.query('delete from connection where id = $1', [connectionId])
  const someoneWaits = () => expect.poll(() => isWaiting(database), { timeout: 20_000 }).toBe(true)
  await apply([makeLine()])
  await remover.query('begin')
  await remove()
  const addition = apply([makeLine()]).catch((error: Error) => error.message)
  // ends the transaction, whatever comes of it
  await someoneWaits().finally(() => remover.query('commit'))
  expect(await addition).toContain('connection does not exist')
  expect(await versions()).toEqual([])

  const owner = await seedOrganization(database.query, 'Another')
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  let removal: Promise<unknown> | undefined
  await withTenantSql(organizationId, async (sql) => {
    await applyLines(sql, { organizationId, connectionId, lines: [makeLine()] })
    removal = remove()
    await someoneWaits()
  })
  await removal
  await remover.end()
  expect(await versions()).toEqual([])
})

test('each line has its record, whether it is new, changed, written another way or proved anew', async () => {
  const payloads = () =>
    database.query(
      `select l.id, p.raw::text as raw, p.xmin::text as version from line l full join line_payload p
         on (p.organization_id, p.connection_id, p.line_id) = (l.organization_id, l.connection_id, l.id)
       where coalesce(l.organization_id, p.organization_id) = $1 order by l.id`,
      [organizationId],
    )
  const [first, second] = [makeLine(), makeLine()] as const
  await apply([first, second])
  const before = await payloads()
  expect(before.map(({ id, raw }) => [id, raw])).toEqual([
    [first.id, first.raw],
    [second.id, second.raw],
  ])
  const respelled = { ...first, raw: `${first.raw} `, textHash: hashText(`${first.raw} `) }
  await database.query('update line set proof_version = 0 where id = $1', [second.id])
  expect(await apply([respelled, second])).toMatchObject({ updated: 2 })
  const after = await payloads()
  expect(after[0]?.raw).toBe(respelled.raw)
  // proved anew: its record is not written again
  expect(after[1]).toEqual(before[1])
})

test('looks each line up by its key, even in a table that was never analyzed', async () => {
  for (let page = 0; page < 20; page++) await apply(Array.from({ length: 100 }, () => makeLine()))
  const plan = await withTenantSql(organizationId, async (sql) => {
    // the stage exists once something was applied in the transaction
    await applyLines(sql, { organizationId, connectionId, lines: [makeLine()] })
    return sql<{ 'QUERY PLAN': string }>(`explain ${APPLY_LINES_SQL}`, [organizationId, connectionId])
  })
  const reads = plan.map((row) => row['QUERY PLAN']).filter((step) => / on line s\b/.test(step))
  expect(reads).toEqual([expect.stringContaining('Index Scan using line_pkey')])
})

test('a platform record fits as parsed, and its text comes back byte for byte', async () => {
  const raw = `{ "id":9007199254740993, "invoice_serial_number":"INV-01-0009","currency":"EUR","expense_date":"2026-03-04",
    "description":"\\u00e9 \u{1F389}", "quantity":1, "unit_price":"10.10000000","non_taxable_unit_price":"0E-8","tax_percentage":"0",
    "tax_amount":"0","total_amount":"10.10","metadata":{"trip_id":9007199254740995,"out_of_policy":"","__proto__":{"x":1}}, "new":1.0 }`
  const parsed = parseLine(raw)
  if (!parsed.ok) throw new Error(parsed.reason)
  const proved = { ...parsed.line, proof: proveLine(parsed.line), explanations: [], notes: listLineNotes(parsed.line) }
  expect(await apply([proved])).toEqual({ inserted: 1, updated: 0, unchanged: 0 })
  expect(await getLine(organizationId, connectionId, '9007199254740993')).toMatchObject({
    rawText: raw,
    unitPrice: '10.10000000',
    nonTaxableUnitPrice: '0.00000000',
    tripId: '9007199254740995',
    outOfPolicy: null,
    findings: [],
  })
})

test('rewrites a line stored under another proof version, even with the same content', async () => {
  const line = makeLine()
  await apply([line])
  await database.query('update line set proof_version = 0 where id = $1', [line.id])
  expect(await apply([line])).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
})

test('refuses an id that comes twice in one page, rather than merging', async () => {
  const line = makeLine()
  await expect(apply([line, line])).rejects.toThrow('twice')
  expect(await versions()).toEqual([])
})

test('every figure keeps its digits and scale, and every text its characters', async () => {
  const line = makeLine({
    id: '9007199254740993',
    quantity: decimal('2'),
    unitPrice: decimal('20.00000000'),
    nonTaxableUnitPrice: decimal('0E-8'),
    taxPercentage: decimal('5.5'),
    taxAmount: decimal('2.20'),
    totalAmount: decimal('1234567890123456789012345678901234567890.12345678'),
    description: 'said "x",\r\n\t=1+1 \u202e \u{1F389} \\u0000 \\',
    labels: ['a,b', '"q"', '{}', 'NULL', ''],
    travelerNames: ["O'Brien", 'back\\slash'],
    outOfPolicy: null,
    tripId: null,
  })
  await apply([line])
  const stored = await getLine(organizationId, connectionId, line.id)
  const {
    raw,
    contentHash: _hash,
    textHash: _text,
    idWasMissing: _id,
    unreadablePaths: _paths,
    proof,
    explanations: _explanations,
    notes,
    ...fields
  } = line
  expect(stored).toMatchObject({
    ...fields,
    rawText: raw,
    noteCodes: notes,
    findings: proof.findings,
    explainedCodes: [],
    reasonCodes: [],
  })
  expect(stored).toMatchObject({
    expectedTotal: '42.20000000',
    difference: '1234567890123456789012345678901234567847.92345678',
  })
})

test.each([
  ['spaces and line breaks', '{ "id" :\r\n\t"x" ,\n "a": [ 1 , 2 ] }'],
  ['number forms', '{"a":0E-8,"b":1.10,"c":9007199254740993,"d":-0.0}'],
  ['repeated keys and their order', '{"b":1,"a":2,"b":3}'],
  ['an escaped NUL', '{"a":"\\u0000"}'],
  ['half a surrogate pair, escaped', '{"a":"\\ud800 x"}'],
  ['escapes of plain characters', '{"a":"\\u0041\\/\\"\\\\"}'],
  ['characters beyond the first plane', '{"a":"\u{1F389}\u202e\u2028"}'],
])('keeps the raw record byte for byte: %s', async (_, raw) => {
  const line = makeLine({ raw })
  await apply([line])
  expect((await getLine(organizationId, connectionId, line.id))?.rawText).toBe(raw)
})

test('invoices and profiles follow the same rules', async () => {
  const invoice = makeInvoice({
    taxesSummary: [{ taxRegime: null, subtotal: decimal('100.00'), taxPercentage: null, taxAmount: null, total: null }],
  })
  const profile = {
    id: 'p',
    name: 'P',
    currency: null,
    paymentMethodType: null,
    billingPeriod: null,
    legalName: null,
    unreadablePaths: [],
    raw: '{}',
    contentHash: 'a',
  }
  const page = { organizationId, connectionId }
  const applyAll = (invoiceHash: string, profileHash: string) =>
    withTenantSql(organizationId, async (sql) => [
      await applyInvoices(sql, { ...page, invoices: [{ ...invoice, contentHash: invoiceHash }] }),
      await applyProfiles(sql, { ...page, profiles: [{ ...profile, contentHash: profileHash }] }),
    ])
  expect(await applyAll('a', 'a')).toEqual([
    { inserted: 1, updated: 0, unchanged: 0 },
    { inserted: 1, updated: 0, unchanged: 0 },
  ])
  expect(await applyAll('a', 'b')).toEqual([
    { inserted: 0, updated: 0, unchanged: 1 },
    { inserted: 0, updated: 1, unchanged: 0 },
  ])
  expect(await applyAll('b', 'b')).toEqual([
    { inserted: 0, updated: 1, unchanged: 0 },
    { inserted: 0, updated: 0, unchanged: 1 },
  ])
})

test('two connections of an organization may use the same id', async () => {
  const owner = await database.query<{ id: string }>('select id from app_user where organization_id = $1', [
    organizationId,
  ])
  const other = await seedConnection(database.query, { organizationId, userId: owner[0]?.id as string }, 'Acme Asia')
  const line = makeLine()
  expect(await apply([line])).toMatchObject({ inserted: 1 })
  expect(await seedLines(organizationId, other, [line])).toMatchObject({ inserted: 1 })
})

test('A8: lines cannot be written into another organization', async () => {
  const stranger = await seedOrganization(database.query, 'Stranger')
  const page = { organizationId, connectionId, lines: [makeLine()] }
  await expect(withTenantSql(stranger.organizationId, (sql) => applyLines(sql, page))).rejects.toThrow(
    'row-level security',
  )
})

test('two concurrent transactions keep one row and count each line once', async () => {
  const lines = Array.from({ length: 50 }, () => makeLine())
  const [a, b] = await Promise.all([apply(lines), apply(lines)])
  expect([a.inserted + b.inserted, a.updated + b.updated, a.unchanged + b.unchanged]).toEqual([50, 0, 50])
  expect(await versions()).toHaveLength(50)
})

const keep = (rejections: readonly KeptRejection[]) =>
  withTenantSql(organizationId, (sql) =>
    keepRejected(sql, { organizationId, connectionId, runId: crypto.randomUUID(), list: 'lines', rejections }),
  )
const rejection = (raw: string, recordId: string | null = null): KeptRejection => ({
  raw,
  recordId,
  invoiceSerialNumber: null,
  statedTotal: null,
  reason: 'is not a decimal number: "12,30"',
  path: 'total_amount',
})

test('F23: keeps a rejected record and its text once, however often it comes', async () => {
  const raw = '{"id": "x", "total_amount": "12,30", "note": "\\u0000 \\ud800"}'
  expect(await keep([rejection(raw, 'x'), rejection(raw, 'x')])).toEqual({ kept: 1, isNew: 1 })
  expect(await keep([rejection(raw, 'x')])).toEqual({ kept: 1, isNew: 0 })
  expect(await listRejectedLines(organizationId)).toMatchObject([
    { raw, recordId: 'x', path: 'total_amount', connectionName: 'Acme Europe' },
  ])
})

test('F23: a rejected record keeps the total that it states, as of its latest reading', async () => {
  const record = rejection('{"id": "stated"}', 'stated')
  const readTotals = () =>
    database.query(
      `select stated_total::text as amount, stated_currency as currency from rejected_line where record_id = 'stated'`,
    )
  await keep([{ ...record, statedTotal: { amount: decimal('12.30'), currency: 'EUR' } }])
  expect(await readTotals()).toEqual([{ amount: '12.30', currency: 'EUR' }])
  await keep([record])
  expect(await readTotals()).toEqual([{ amount: null, currency: null }])
})

test('F23: a rejected record is resolved by its text or id once readable, and reopens if it fails again', async () => {
  const byText = makeLine({ raw: '{"a": 1}' })
  const byId = makeLine()
  await keep([rejection(byText.raw), rejection('{"b": 2}', byId.id), rejection('{"c": 3}', 'unrelated')])
  await apply([byText, byId])
  expect((await listRejectedLines(organizationId)).map(({ raw }) => raw)).toEqual(['{"c": 3}'])
  await keep([rejection('{"b": 2}', byId.id)])
  expect(await listRejectedLines(organizationId)).toHaveLength(2)
})
