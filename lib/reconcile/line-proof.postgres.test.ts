import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { currencyDigits } from './currency.ts'
import { proveLine } from './line-proof.ts'
import { provableLine } from './test-support/test-lines.ts'

const LINES = 100_000
const BATCH = 10_000

/**
 * The same two checks in SQL. `round(numeric, n)` rounds half away from zero; numeric is exact at
 * these sizes.
 */
const PROVE_IN_SQL = `
  with line as (
    select position, quantity::numeric, unit_price::numeric, rest::numeric, rate::numeric, tax::numeric, total::numeric, digits
    from json_to_recordset($1::json) as given(
      position int, quantity text, unit_price text, rest text, rate text, tax text, total text, digits int)
  ), expected as (
    select *, round(quantity * (unit_price + rest) + tax, greatest(scale(total), digits)) as expected_total,
      round(rate * quantity * unit_price * 0.01, digits) as expected_tax
    from line
  )
  select expected_total::text, (total - expected_total)::text as difference,
    expected_tax::text, (tax - expected_tax)::text as tax_difference,
    concat_ws(' ', case when total <> expected_total then 'total' end, case when tax <> expected_tax then 'tax' end) as codes
  from expected order by position`

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test(`F31: the proof equals PostgreSQL numeric on ${LINES} random lines`, { timeout: 120_000 }, async () => {
  const lines = fc.sample(provableLine(), { seed: 31_000, numRuns: LINES })
  const codes = new Map<string, number>()
  for (let start = 0; start < LINES; start += BATCH) {
    const batch = lines.slice(start, start + BATCH)
    const given = batch.map((line, position) => ({
      position,
      quantity: line.quantity,
      unit_price: line.unitPrice,
      rest: line.nonTaxableUnitPrice,
      rate: line.taxPercentage,
      tax: line.taxAmount,
      total: line.totalAmount,
      digits: currencyDigits(line.currency),
    }))
    const rows = await database.query<Record<string, string>>(PROVE_IN_SQL, [JSON.stringify(given)])
    expect(rows.length).toBe(batch.length)
    batch.forEach((line, position) => {
      const proof = proveLine(line)
      const ours = {
        expected_total: proof.expectedTotal,
        difference: proof.difference,
        expected_tax: proof.expectedTax,
        tax_difference: proof.taxDifference,
        codes: proof.findings.map((finding) => finding.code).join(' '),
      }
      codes.set(ours.codes, (codes.get(ours.codes) ?? 0) + 1)
      // Comparing texts first spares 100,000 deep comparisons.
      if (JSON.stringify(rows[position]) !== JSON.stringify(ours))
        expect({ line, ...rows[position] }).toEqual({ line, ...ours })
    })
  }
  // The sample is worth something only if each outcome is frequent.
  for (const outcome of ['', 'total', 'tax', 'total tax']) expect(codes.get(outcome)).toBeGreaterThan(1_000)
})
