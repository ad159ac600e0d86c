import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { currencyDigits } from '#lib/reconcile/currency.ts'
import { LINE_CASES, toJudgedLine } from '#lib/reconcile/test-support/test-verdicts.ts'
import { toLineState } from '../fields/line-fields.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('the database says of every line the state that pages say', async () => {
  const lines = LINE_CASES.map(toJudgedLine)
  const codes = (member: string) =>
    `case when json_typeof("${member}") = 'array' then array(select json_array_elements_text("${member}")) end`
  const rows = await database.query<{ state: string }>(
    `select line_state(${['findingCodes', 'explainedCodes', 'reasonCodes'].map(codes).join(', ')}, difference, "taxDifference", currency)
       as state
     from json_to_recordset($1::json) as l("findingCodes" json, "explainedCodes" json, "reasonCodes" json, difference numeric,
       "taxDifference" numeric, currency text)`,
    [JSON.stringify(lines)],
  )
  expect(rows.map(({ state }, at) => [LINE_CASES[at]?.name, state])).toEqual(
    LINE_CASES.map(({ name, state }) => [name, state]),
  )
})

test('the database knows the minor unit of every currency that pages know', async () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const rows = await database.query<{ code: string; state: string; below: string }>(
    `select code, line_state('{total}', null, null, power(10::numeric, -digits), 0, code) as state,
            line_state('{total}', null, null, power(10::numeric, -digits) * 0.9, 0, code) as below
     from unnest($1::text[], $2::int[]) as c (code, digits)`,
    [codes, codes.map(currencyDigits)],
  )
  expect(rows.filter(({ state, below }) => state !== 'unexplained' || below !== 'note')).toEqual([])
})

test('the database puts the state into the statement that asks, and calls nothing line by line', async () => {
  const plan = await database.query(`explain verbose select pack_state(${toLineState('l')}) from line l`)
  const text = plan.map((row) => Object.values(row)).join('\n')
  expect(text).toContain('unexplained')
  expect(text).not.toMatch(/line_state\(|finds_money\(|currency_digits\(|pack_state\(/)
})
