import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { compareDecimals, toSize } from '#lib/reconcile/money.ts'
import type { AmountRange } from '../../query/search-terms.ts'
import { decimal } from '../../test-support/seed.ts'
import { createRandom } from '../../test-support/seed-varied-lines.ts'
import { toSearchedRange, toTotalRanges } from './total-ranges.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const random = createRandom(5)
const GREAT = ['21474835.99', '21474836', '21474836.47', '99999999999.999', '-40000000000']
const toAmount = () =>
  decimal(
    random(20) === 0
      ? (GREAT[random(GREAT.length)] as string)
      : `${random(2) === 0 ? '-' : ''}${1 + random(900)}.${100 + random(900)}`,
  )

const meet = async (totals: string, range: AmountRange) => {
  const [row] = await database.query<{ meet: boolean }>('select $1::int4multirange && $2::int4multirange as meet', [
    totals,
    toSearchedRange(range),
  ])
  return row?.meet
}

test('totals of which one lies in a range meet it, however many they are', async () => {
  for (let nth = 0; nth < 300; nth++) {
    const totals = Array.from({ length: 1 + random(nth % 3 === 0 ? 2000 : 60) }, toAmount)
    const one = toSize(totals[random(totals.length)] as (typeof totals)[number])
    const other = toSize(toAmount())
    const [from, to] = compareDecimals(one, other) < 0 ? [one, other] : [other, one]
    const literal = toTotalRanges(totals)
    expect(literal.split('[').length - 1).toBeLessThanOrEqual(64)
    for (const range of [
      { from, to },
      { from, to: null },
      { from: null, to },
      { from: one, to: one },
    ])
      expect(await meet(literal, { ...range, withEnds: true }), `${from} ${to}`).toBe(true)
  }
})

test('totals of few lines do not meet a range in which none of them lies', async () => {
  const literal = toTotalRanges(['119.00', '-314.80', '0.05'].map((text) => decimal(text)))
  for (const [from, to] of [
    ['119.01', '314.79'],
    ['314.81', null],
    [null, '0.04'],
  ] as const)
    expect(await meet(literal, { from: from && decimal(from), to: to && decimal(to), withEnds: true })).toBe(false)
})
