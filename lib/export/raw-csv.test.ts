import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RawRows } from '#lib/db/raw-rows.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { openLineExport } from '#lib/ledger/read/export-lines.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { makeVariedLines } from '#lib/ledger/test-support/seed-varied-lines.ts'
import { LINE_FIELDS, type LineRecord } from '#lib/reconcile/records.ts'
import { createCsvWriter, toTextCell } from './csv.ts'
import { LINE_COLUMNS } from './line-columns.ts'
import { createRawCsvWriter } from './raw-csv.ts'

/** Texts at the edge of a rule: quotes, separators, formulas, and signs that hide one. */
const TEXTS = [
  '',
  ' ',
  '0',
  'a',
  'Z9',
  'é',
  '日本',
  '🎉',
  '_',
  '.5',
  '"',
  '""',
  'a"b',
  'a,b',
  'a;b',
  'a\tb',
  'a\rb',
  'a\nb',
  '=1',
  '+1',
  '-1',
  '@x',
  '＝1',
  '\t=1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\u001f=1',
  '\u001fa',
  'a=1',
  "'=1",
  '\\',
  'a\\nb',
  '\\.',
  '\u2028x',
  '\u0085=1',
  '{a,b}',
  'NULL',
  'x'.repeat(3000),
]
const WRITER = createRawCsvWriter(LINE_COLUMNS)

let database: TestDatabase
let lineCount = 0
let organizationId: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  // the parser takes nothing but letters for a currency and a country, and ids are unique
  const fields = Object.entries(LINE_FIELDS).filter(
    ([name, { type }]) => type.startsWith('text') && !['currency', 'country', 'id'].includes(name),
  )
  const odd = fields.flatMap(([name, { type }]) =>
    TEXTS.map((text) => makeLine({ [name]: type === 'text[]' ? [text, 'b'] : text } as Partial<LineRecord>)),
  )
  lineCount = 600 + odd.length
  await seedLines(organizationId, await seedConnection(database.query, owner, 'Acme, Europe'), makeVariedLines(300))
  await seedLines(organizationId, await seedConnection(database.query, owner, 'Acme'), odd)
  await seedLines(organizationId, await seedConnection(database.query, owner, null), makeVariedLines(300, 8))
})
afterAll(() => database.drop())

async function readBatches(): Promise<RawRows[]> {
  const reader = { userId: 'somebody', signal: new AbortController().signal }
  const fields = LINE_COLUMNS.map(({ field }) => field)
  const cursor = await openLineExport(organizationId, reader, DEFAULT_LINE_QUERY, fields)
  const batches: RawRows[] = []
  for (let rows = await cursor.next(); rows.length > 0; rows = await cursor.next()) batches.push(rows)
  await cursor.close()
  return batches
}

/** The values of each row, by the protocol's own words. */
function readCells(rows: RawRows): (string | null)[][] {
  const read: (string | null)[][] = []
  for (let at = 0; at < rows.length; ) {
    expect(rows.toString('latin1', at, at + 1)).toBe('D')
    const end = at + 1 + rows.readInt32BE(at + 1)
    const cells: (string | null)[] = []
    const count = rows.readInt16BE(at + 5)
    at += 7
    for (let cell = 0; cell < count; cell++) {
      const length = rows.readInt32BE(at)
      at += 4
      cells.push(length === -1 ? null : rows.toString('utf8', at, at + length))
      at += Math.max(0, length)
    }
    expect(at).toBe(end)
    read.push(cells)
  }
  return read
}

test('A13: a row of the database’s bytes has the same bytes as one written cell by cell', async () => {
  const byCell = createCsvWriter(LINE_COLUMNS.map((column, at) => ({ ...column, field: String(at) }) as never))
  let written = 0
  for (const rows of await readBatches()) {
    const cells = readCells(rows)
    const expected = byCell.toBytes(cells.map((row) => ({ ...row })) as never)
    expect(Buffer.from(WRITER.toBytes(rows)).toString()).toBe(Buffer.from(expected).toString())
    written += cells.length
  }
  expect(written).toBe(lineCount)
})

test('A13: a text of any first character is written as by the rules for texts', () => {
  const column = { name: 'text', kind: 'text', field: 'text' } as const
  const every = Array.from({ length: 0x3000 }, (_, code) => code).flatMap((code) => {
    const character = String.fromCodePoint(code === 0 ? 0x1f389 : code)
    return [character, `${character}=1`, `a${character}b`]
  })
  const written = createRawCsvWriter([column]).toBytes(Buffer.concat(every.map((text) => toRawRow([text]))))
  const expected = createCsvWriter<{ text: string }>([column]).toBytes(every.map((text) => ({ text })))
  expect(Buffer.compare(written, expected)).toBe(0)
})

test('has room for a row that grows as much as one can, and for one without texts', () => {
  const columns = [1, 2, 3].map((number) => ({ name: `${number}`, kind: 'text', field: `${number}` }) as never)
  const writer = createRawCsvWriter(columns)
  for (const text of ['"', '=', '"'.repeat(1000), `=${'"'.repeat(1000)}`]) {
    const cell = toTextCell(text)
    expect(Buffer.from(writer.toBytes(toRawRow([text, text, text]))).toString()).toBe(`${cell},${cell},${cell}\r\n`)
  }
  expect(Buffer.from(writer.toBytes(toRawRow([null, '', null]))).toString()).toBe(',,\r\n')
  expect(writer.toBytes(Buffer.alloc(0))).toHaveLength(0)
})

function toRawRow(cells: (string | null)[]): RawRows {
  const values = cells.flatMap((cell) => {
    const text = Buffer.from(cell ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(cell === null ? -1 : text.length)
    return [length, text]
  })
  const body = Buffer.concat(values)
  const head = Buffer.from('D______')
  head.writeInt32BE(body.length + 6, 1)
  head.writeInt16BE(cells.length, 5)
  return Buffer.concat([head, body])
}
