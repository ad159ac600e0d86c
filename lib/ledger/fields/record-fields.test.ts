import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { PROFILE_FIELDS, type RecordField } from '#lib/reconcile/records.ts'
import { STORED_INVOICE_FIELDS } from './invoice-fields.ts'
import { OWNER_FIELDS, STORED_LINE_FIELDS } from './line-fields.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The ledger's own columns: not fields of the record. */
const OWN = ['organization_id', 'raw', 'content_hash', 'first_seen_at', 'changed_at']

test.each<[table: string, fields: Record<string, RecordField>, own: string[]]>([
  ['line', STORED_LINE_FIELDS, ['text_hash', 'search_text', 'proof_version', 'finding_count', 'missing_since']],
  [
    'invoice',
    STORED_INVOICE_FIELDS,
    ['text_hash', 'missing_since', 'taxes_summary', 'stated_line_count', 'stated_taxes', 'news_at'],
  ],
  ['profile', { ...OWNER_FIELDS, ...PROFILE_FIELDS }, []],
])(
  'each column of the table %s is a field of the record, of the same type and as optional',
  async (table, fields, own) => {
    const columns = await database.query<{ column: string; type: string; isOptional: boolean }>(
      `select attname as column, format_type(atttypid, null) as type, not attnotnull as "isOptional"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attname`,
      [table],
    )
    const expected = Object.values(fields).map(({ column, type, isOptional = false }) => ({ column, type, isOptional }))
    const isOwn = new Set([...OWN, ...own])
    expect(columns.filter(({ column }) => !isOwn.has(column))).toEqual(
      expected.toSorted((left, right) => (left.column < right.column ? -1 : 1)),
    )
  },
)
