import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { LineRecord, ProvedLine } from '#lib/reconcile/records.ts'
import { toLineConditions } from '../../conditions/line-conditions.ts'
import { LINES } from '../../conditions/line-source.ts'
import { DEFAULT_GROUP_QUERY } from '../../query/group-query.ts'
import { DEFAULT_LINE_QUERY } from '../../query/line-query.ts'
import { SUMMARY_QUERY } from '../../query/summary-query.ts'
import { listGroups } from '../../read/list-groups.ts'
import { listLines } from '../../read/list-lines.ts'
import { summarizeLines } from '../../read/summarize-lines.ts'
import { createSqlParameters } from '../../sql/sql-parameters.ts'
import { applyLines, makeLineOf, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import { createRandom } from '../../test-support/seed-varied-lines.ts'
import { tryHoldAccount } from '../tally/hold-account.ts'
import { findInvoicesOfText } from './find-invoices-of-text.ts'
import { noteInvoiceWords } from './note-invoice-words.ts'
import { toWordBits } from './word-bits.ts'

const INVOICES = 60
const QUESTIONS_PER_CHANGE = 60

let database: TestDatabase
let organizationId: OrganizationId
let accounts: ConnectionId[]
const random = createRandom(17)
const pick = <T>(from: readonly T[]) => from[random(from.length)] as T

const THINGS = [
  'Überfahrt',
  'Café & 🚆 Zug',
  'Œuvre d’art',
  '東京都 港区',
  'Straße',
  'Hotel, 1 night',
  'λόγος',
  'ab',
  'x',
  '',
]
const PLACES = ['Lisbon', 'Łódź', 'São Paulo', 'Malmö', 'Zürich', 'Köln 🏨', null]

/** Every line says something of its own, and something that many say. */
function makeWordy(count: number): ProvedLine[] {
  return Array.from({ length: count }, () =>
    makeLineOf(`${pick(['', '-'])}${1 + random(400)}.${pick(['00', '5', '25', '07'])}`, toWords()),
  )
}

function toWords(): Partial<LineRecord> {
  const own = random(2 ** 31).toString(36)
  const trip = random(40)
  return {
    description: `${pick(THINGS)} ${own}`,
    tripId: trip === 0 ? null : `${10_000 + trip}`,
    tripName: trip === 0 ? null : `${pick(PLACES) ?? ''} ${trip}`,
    invoiceSerialNumber: `INV-${String(random(INVOICES)).padStart(4, '0')}`,
    travelerNames: pick([['José Núñez'], [], ['Ana Sá', `Bo ${own.slice(0, 2)}`]]),
    vendorName: pick([null, `Vendor ${random(30)}`]),
    creditCardLast4: pick([null, `${1000 + random(9000)}`]),
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  accounts = [await seedConnection(database.query, owner), await seedConnection(database.query, owner, 'Acme Asia')]
  const other = await seedOrganization(database.query, 'Stranger')
  await seedLines(other.organizationId, await seedConnection(database.query, other), makeWordy(40))
  for (const connectionId of accounts) await seedLines(organizationId, connectionId, makeWordy(200))
})
afterAll(() => database.drop())

const note = async () => {
  let noted = 0
  for (const connectionId of accounts) noted += await noteInvoiceWords({ organizationId, connectionId })
  return noted
}

type SaidLine = {
  connectionId: string
  serial: string
  text: string
  amount: DecimalText
  unitPrice: DecimalText
  card: string
}
const listSaid = () =>
  database.query<SaidLine>(
    `select connection_id::text as "connectionId", invoice_serial_number as serial, search_text as text, total_amount::text as amount,
       unit_price::text as "unitPrice", coalesce(credit_card_last_4_digits, 'none') as card
     from line where organization_id = $1 order by id`,
    [organizationId],
  )

/** Notes that lack a bit of a line of their invoice. */
async function listShortNotes(): Promise<string[]> {
  const notes = await database.query<{ connectionId: string; serial: string; trigrams: string; amounts: string }>(
    `select connection_id::text as "connectionId", serial_number as serial, trigrams::text, amounts::text from invoice_words
     where organization_id = $1`,
    [organizationId],
  )
  const said = await listSaid()
  return notes
    .filter(({ connectionId, serial, trigrams, amounts }) => {
      const own = said.filter((line) => line.connectionId === connectionId && line.serial === serial)
      const bits = toWordBits(
        own.map(({ text }) => text),
        own.flatMap(({ amount, unitPrice }) => [amount, unitPrice]),
      )
      return lacks(trigrams, bits.trigrams) || lacks(amounts, bits.amounts)
    })
    .map(({ serial }) => serial)
}

function lacks(digits: string, literal: string): boolean {
  const held = BigInt(`0b${digits}`)
  const wanted = BigInt(`0${literal}`)
  return (held & wanted) !== wanted
}

/** A part of what a line says, as somebody may type it; or its amount. */
function toQuestion({ serial, text, amount, unitPrice, card }: SaidLine): string {
  const size = amount.replace('-', '')
  if (random(3) === 0)
    return pick([unitPrice, `>${size}`, `<=${size}`, `${size}-${size}`, `${card} EUR`, serial.replaceAll('-', '')])
  if (random(4) === 0) return pick([amount, amount.replace('.', ','), amount.replace('-', ''), `${Number(amount)}`])
  const points = [...text.replaceAll('\u001f', ' ')]
  const from = random(points.length)
  const part = points.slice(from, from + 1 + random(14)).join('')
  return (random(3) === 0 ? part.toUpperCase() : part).trim()
}

async function listHits(sql: Sql, text: string, isAmongFound: boolean): Promise<string[]> {
  const found = isAmongFound ? await findInvoicesOfText(sql, organizationId, { ...DEFAULT_LINE_QUERY, text }) : null
  if (isAmongFound && found === null) return listHits(sql, text, false)
  if (found !== null) narrowed += 1
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, { ...DEFAULT_LINE_QUERY, text }, parameters, LINES, found)
  const rows = await sql<{ id: string }>(`select l.id from line l where ${conditions} order by 1`, parameters.values)
  return rows.map(({ id }) => id)
}
let narrowed = 0

/** Searches find what a scan of all lines finds; some of them look at few invoices. */
async function expectTheSameHits(isNarrowed: boolean): Promise<void> {
  const said = await listSaid()
  narrowed = 0
  for (let nth = 0; nth < QUESTIONS_PER_CHANGE; nth++) {
    const text = toQuestion(pick(said))
    if (text === '') continue
    const [found, scanned] = await withTenantSnapshot(organizationId, async (sql) => [
      await listHits(sql, text, true),
      await listHits(sql, text, false),
    ])
    expect(found, text).toEqual(scanned)
    if (nth % 10 > 0) continue
    const filters = { text, pageSize: 200 }
    const { lineCount } = await listLines(organizationId, { ...DEFAULT_LINE_QUERY, ...filters })
    const groups = await listGroups(organizationId, { ...DEFAULT_GROUP_QUERY, ...filters })
    const { rows } = await summarizeLines(organizationId, { ...SUMMARY_QUERY.parse({ by: 'vertical' }), text })
    const summed = rows.reduce((sum, row) => sum + row.lineCount, 0)
    expect([lineCount, groups.lineCount, summed], text).toEqual(Array(3).fill(scanned.length))
  }
  if (isNarrowed) expect(narrowed, 'questions that look at few invoices').toBeGreaterThan(QUESTIONS_PER_CHANGE / 4)
}

const ONE_IN_THREE = `organization_id = $1 and md5(id || $2) < '5'`
const change = (set: string, seed: string, condition = ONE_IN_THREE) =>
  withTenantSql(organizationId, (sql) => sql(`update line set ${set} where ${condition}`, [organizationId, seed]))

const CHANGES: Record<string, () => Promise<unknown>> = {
  'nothing yet': async () => undefined,
  'lines that come': () => seedLines(organizationId, accounts[0] as ConnectionId, makeWordy(25)),
  'other texts': () => change(`search_text = reverse(search_text) || ' now'`, 'a'),
  'other amounts': () => change('total_amount = total_amount * 3 + 0.01', 'b'),
  // no sum of the invoice has them
  'other prices and cards': () =>
    change(`unit_price = unit_price + 1.03, credit_card_last_4_digits = '0' || abs(hashtext(id)) % 1000`, 'l'),
  'lines on other invoices': () =>
    change(`invoice_serial_number = 'INV-' || right('000' || abs(hashtext(id)) % ${2 * INVOICES}, 4)`, 'c'),
  // no sum of either invoice changes
  'lines that change places': async () => {
    const [a, b] = makeWordy(2).map((line, at) => ({
      ...line,
      totalAmount: '7' as DecimalText,
      invoiceSerialNumber: `SWAP-${at}`,
    }))
    await seedLines(organizationId, accounts[1] as ConnectionId, [a as ProvedLine, b as ProvedLine])
    await note()
    await change(
      `invoice_serial_number = case when invoice_serial_number = 'SWAP-0' then 'SWAP-1' else 'SWAP-0' end`,
      'd',
      `organization_id = $1 and invoice_serial_number like 'SWAP-%' and $2 <> ''`,
    )
  },
  missing: () => change('missing_since = now()', 'e'),
  'whole invoices missing': () =>
    change('missing_since = now()', 'f', `organization_id = $1 and md5(invoice_serial_number || $2) < '4'`),
  'back again': () =>
    change('missing_since = null', 'g', `organization_id = $1 and missing_since is not null and $2 <> ''`),
  'texts of an earlier version': () =>
    change(
      'search_text = chr(30) || lower(description || trip_name)',
      'h',
      `${ONE_IN_THREE} and trip_name is not null`,
    ),
  'other texts in many rows': () =>
    change(`search_text = search_text || ' 🚄 später'`, 'i', `organization_id = $1 and $2 <> ''`),
  'lines deleted': () =>
    withTenantSql(organizationId, (sql) => sql(`delete from line where ${ONE_IN_THREE}`, [organizationId, 'j'])),
  'an account erased': () =>
    withTenantSql(organizationId, (sql) =>
      sql('delete from line where organization_id = $1 and connection_id = $2', [organizationId, accounts[1]]),
    ),
  'its lines again': () => seedLines(organizationId, accounts[1] as ConnectionId, makeWordy(150)),
}

test.each(Object.keys(CHANGES))('a search finds what a scan finds, with and without notes, after: %s', async (name) => {
  await note()
  await CHANGES[name]?.()
  expect(await listShortNotes()).toEqual([])
  await expectTheSameHits(false)
  await note()
  expect(await note()).toBe(0)
  expect(await listShortNotes()).toEqual([])
  await database.query(`delete from invoice_words where md5(serial_number) < '04'`)
  await expectTheSameHits(true)
})

const countNotes = async () => (await database.query('select from invoice_words')).length
const countInvoices = async () =>
  (
    await database.query(
      'select distinct connection_id, invoice_serial_number from invoice_rollup where organization_id = $1',
      [organizationId],
    )
  ).length
const forgetAll = () => database.query('delete from invoice_words')

test('nothing is noted while a transaction changes lines, and its change is seen once it has ended', async () => {
  await forgetAll()
  await withTenantSql(organizationId, async (sql) => {
    await sql(`update line set search_text = 'something else' where organization_id = $1`, [organizationId])
    expect(await note()).toBe(0)
  })
  expect(await note()).toBe(await countInvoices())
  expect(await listShortNotes()).toEqual([])
})

test('a change that waited for a note takes it back', async () => {
  await forgetAll()
  const [connectionId] = accounts as [ConnectionId]
  const own = `search_text = 'said later' where organization_id = $1 and connection_id = $2`
  let later: Promise<unknown> = Promise.resolve()
  // a note that has looked at the invoice and is not stored yet
  await withTenantSql(organizationId, async (sql) => {
    expect(await tryHoldAccount(sql, { organizationId, connectionId })).toBe(true)
    later = withTenantSql(organizationId, (other) => other(`update line set ${own}`, [organizationId, connectionId]))
    await expect.poll(() => isWaiting(database), { timeout: 10_000 }).toBe(true)
    await sql(
      `insert into invoice_words (organization_id, connection_id, serial_number, version, line_count, trigrams, amounts, totals)
       select distinct organization_id, connection_id, invoice_serial_number, 2::smallint, 1, repeat('0', 4096)::bit(4096), repeat('0', 2048)::bit(2048), '{}'::int4multirange
       from line where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId],
    )
  })
  expect(await countNotes()).toBeGreaterThan(0)
  await later
  expect(await countNotes()).toBe(0)
})

test('a line that only goes or comes back takes no note back for its words', async () => {
  await note()
  const before = await countNotes()
  // the sums of the invoice change, and take it back; the words alone would not
  await database.query('alter table invoice_rollup disable trigger user')
  try {
    await change('missing_since = now()', 'k')
    await change('missing_since = null', 'k')
    expect(await countNotes()).toBe(before)
  } finally {
    await database.query('alter table invoice_rollup enable trigger user')
  }
})

test('a note of an earlier version counts as none, and is made anew', async () => {
  await note()
  await database.query(`update invoice_words set version = 0, trigrams = repeat('0', 4096)::bit(4096)`)
  await expectTheSameHits(false)
  expect(await note()).toBe(await countInvoices())
  expect(await listShortNotes()).toEqual([])
})

test('notes that end in an error leave none behind', async () => {
  await forgetAll()
  await database.query('alter table invoice_words add constraint no_more check (false) not valid')
  await expect(note()).rejects.toThrow('no_more')
  await database.query('alter table invoice_words drop constraint no_more')
  expect(await countNotes()).toBe(0)
})

test('whoever stops the worker need not wait for all notes', async () => {
  await forgetAll()
  const [connectionId] = accounts as [ConnectionId]
  expect(await noteInvoiceWords({ organizationId, connectionId }, AbortSignal.abort())).toBe(0)
  expect(await countNotes()).toBe(0)
})

test('an invoice of very many lines may have any text', async () => {
  const [, connectionId] = accounts
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'line' and is_generated = 'NEVER'`,
  )
  const others = columns.map(({ name }) => name).filter((name) => !['id', 'invoice_serial_number'].includes(name))
  await database.query(
    `insert into line (id, invoice_serial_number, ${others.join()})
     select 'many-' || n, 'INV-MANY', ${others.map((name) => `l.${name}`).join()}
     from (select * from line where connection_id = $1 limit 1) l, generate_series(1, 10001) n`,
    [connectionId],
  )
  await note()
  const [many] = await database.query(
    `select bit_count(trigrams)::int as trigrams, bit_count(amounts)::int as amounts, line_count as lines
     from invoice_words where serial_number = 'INV-MANY'`,
  )
  expect(many).toEqual({ trigrams: 4096, amounts: 2048, lines: 10_001 })
  await database.query(`delete from line where invoice_serial_number = 'INV-MANY'`)
  expect(await database.query(`select from invoice_words where serial_number = 'INV-MANY'`)).toEqual([])
})

test('no note says too little with two writers of one account and a note-taker at once', async () => {
  const [connectionId] = accounts as [ConnectionId]
  const ids = (
    await database.query<{ id: string }>('select id from line where connection_id = $1', [connectionId])
  ).map(({ id }) => id)
  const write = async () => {
    for (let round = 0; round < 12; round++) {
      // in one order: a database ends one of two writers that wait for each other
      const changed = new Map(
        makeWordy(30)
          .map((line) => [pick(ids), line] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
      await seedLines(
        organizationId,
        connectionId,
        [...changed].map(([id, line]) => ({ ...line, id })),
      )
    }
  }
  let isDone = false
  const writers = Promise.all([write(), write()]).finally(() => {
    isDone = true
  })
  let noted = 0
  while (!isDone) noted += await note()
  await writers
  expect(noted).toBeGreaterThan(0)
  expect(await listShortNotes()).toEqual([])
  await note()
  expect(await listShortNotes()).toEqual([])
  await expectTheSameHits(true)
}, 60_000)

test('a writer killed between any two statements takes no note back', async () => {
  const [connectionId] = accounts as [ConnectionId]
  await note()
  const before = await database.query('select * from invoice_words order by connection_id, serial_number')
  const lines = makeWordy(20)
  let isWritten = false
  for (let at = 0; !isWritten; at++) {
    let count = 0
    isWritten = await withTenantSql(organizationId, (sql) => {
      const mortal = Object.assign(
        async (text: string, values?: unknown[]) => {
          if (count++ === at) await kill(sql)
          return sql(text, values)
        },
        { client: sql.client },
      ) as Sql
      return applyLines(mortal, { organizationId, connectionId, lines })
    }).then(
      () => true,
      () => false,
    )
    const now = await database.query('select * from invoice_words order by connection_id, serial_number')
    if (isWritten) expect(now.length).toBeLessThan(before.length)
    else expect(now).toEqual(before)
  }
})

/** Ends the session in the server, as the death of its worker does. */
async function kill(sql: Sql): Promise<void> {
  const [backend] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
  await database.query('select pg_terminate_backend($1, 5000)', [backend?.pid])
}

test('an account deleted as a whole, and lines emptied, leave no note behind', async () => {
  await note()
  const [, connectionId] = accounts
  await database.query('delete from connection where id = $1', [connectionId])
  expect(await database.query('select from invoice_words where connection_id = $1', [connectionId])).toEqual([])
  expect(await countNotes()).toBeGreaterThan(0)
  await database.query('truncate line cascade')
  expect(await countNotes()).toBe(0)
})
