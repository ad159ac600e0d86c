import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { CONVENTIONS } from '#lib/reconcile/reason.ts'
import { compareWithOracle } from './line-oracle.ts'

const LINES = 30_000

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test(`findings and reasons equal PostgreSQL’s on ${LINES} lines of every convention and fault`, async () => {
  const { lines, differences, byPlant } = await compareWithOracle(database.query, LINES)
  expect(lines).toBe(LINES)
  expect(differences.slice(0, 3)).toEqual([])
  // no false finding, and no planted fault missed or explained away
  expect(byPlant.get('right')).toMatchObject({ found: 0 })
  for (const plant of ['fault_total', 'fault_tax', 'fault_both']) {
    const { lines, found, explained } = byPlant.get(plant) ?? { lines: 0, found: 0, explained: 0 }
    expect(found, plant).toBe(lines)
    expect(explained / lines, plant).toBeLessThan(0.02)
  }
  // the sample is worth something only if each convention explains many of its lines
  for (const convention of CONVENTIONS) expect(byPlant.get(convention)?.explained, convention).toBeGreaterThan(5)
})
