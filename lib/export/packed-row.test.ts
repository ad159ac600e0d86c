import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-database.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { LINE_FILE_TEXTS } from '#lib/ledger/fields/line-fields.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { openLineExport, type PackedRow, type PackedRowSql } from '#lib/ledger/read/export-lines.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { makeVariedLines } from '#lib/ledger/test-support/seed-varied-lines.ts'
import { LINE_FIELDS, type LineRecord } from '#lib/reconcile/records.ts'
import { createCsvWriter } from './csv.ts'
import { LINE_COLUMNS } from './line-columns.ts'
import { createRowPacker } from './packed-row.ts'

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
const PACKER = createRowPacker(LINE_COLUMNS, LINE_FILE_TEXTS)

let database: TestDatabase
let organizationId: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  // the parser takes nothing but three letters for a currency, and ids are unique
  const fields = Object.entries(LINE_FIELDS).filter(
    ([name, { type }]) => type.startsWith('text') && name !== 'currency' && name !== 'id',
  )
  const odd = fields.flatMap(([name, { type }]) =>
    TEXTS.map((text) => makeLine({ [name]: type === 'text[]' ? [text, 'b'] : text } as Partial<LineRecord>)),
  )
  await seedLines(organizationId, await seedConnection(database.query, owner, 'Acme, Europe'), makeVariedLines(300))
  await seedLines(organizationId, await seedConnection(database.query, owner, 'Acme'), odd)
  await seedLines(organizationId, await seedConnection(database.query, owner, null), makeVariedLines(300, 8))
})
afterAll(() => database.drop())

async function readRows(sql: PackedRowSql): Promise<PackedRow[]> {
  const reader = { userId: 'somebody', signal: new AbortController().signal }
  const cursor = await openLineExport(organizationId, reader, DEFAULT_LINE_QUERY, sql)
  const all: PackedRow[] = []
  for (let rows = await cursor.next(); rows.length > 0; rows = await cursor.next()) all.push(...rows)
  await cursor.close()
  return all
}

test('A13: a row that the database writes has the same bytes as one written cell by cell', async () => {
  const packed = await readRows(PACKER.sql)
  const cells = await readRows({ ...PACKER.sql, line: 'null::text' })
  expect(cells.every(({ line }) => line === null)).toBe(true)
  const byCell = createCsvWriter(LINE_COLUMNS.map((column, at) => ({ ...column, field: String(at) }) as never))
  expect(packed.map(PACKER.writer.toText)).toEqual(cells.map((row) => byCell.toText({ ...row.cells } as never)))
  expect(cells.map(PACKER.writer.toText)).toEqual(packed.map(PACKER.writer.toText))
  // both ways are taken, and plain lines by the short one
  expect(packed.filter(({ line }) => line !== null).length).toBeGreaterThan(1000)
  expect(packed.filter(({ line }) => line === null).length).toBeGreaterThan(20)
})

test('a column without SQL is refused when the file is defined', () => {
  expect(() => createRowPacker(LINE_COLUMNS, {})).toThrow('id')
})
