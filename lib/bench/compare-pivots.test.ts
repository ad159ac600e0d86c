import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { makeVariedLines } from '#lib/ledger/test-support/seed-varied-lines.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { comparePivots, openLinesFile } from './compare-pivots.ts'

let database: TestDatabase
const folder = mkdtempSync(join(tmpdir(), 'tieout-pivots-'))
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const SPELLINGS = [
  (name: string) => name,
  (name: string) => `${name} `,
  (name: string) => name.normalize('NFD'),
  (name: string) => name.replace(' ', '\u00a0\u200b'),
]

/** The same names in ways that nobody can tell apart. */
function spellOddly(lines: ProvedLine[]): ProvedLine[] {
  return lines.map((line, at) => {
    const spell = SPELLINGS[at % SPELLINGS.length] ?? String
    const [costCenter, vendorName, bookerName] = [line.costCenter, line.vendorName, line.bookerName].map(
      (name) => name && spell(name),
    ) as [string | null, string | null, string | null]
    const travelerNames = line.travelerNames.flatMap((name) => (at % 5 === 0 ? [name, spell(name)] : [spell(name)]))
    return { ...line, costCenter, vendorName, bookerName, travelerNames, labels: line.labels.map(spell) }
  })
}

test('random pivots have the cells, rows and totals that DuckDB finds in the file of lines, names folded or not', async () => {
  const owner = await seedOrganization(database.query)
  const { organizationId } = owner
  await seedLines(organizationId, await seedConnection(database.query, owner), spellOddly(makeVariedLines(400)))
  await seedLines(organizationId, await seedConnection(database.query, owner, 'Acme Asia'), makeVariedLines(200, 8))
  const other = await seedOrganization(database.query, 'Stranger')
  await seedLines(other.organizationId, await seedConnection(database.query, other), makeVariedLines(30, 5))
  const duck = await openLinesFile(organizationId, 'somebody', folder)
  const { asked, cells } = await comparePivots(organizationId, duck, { questions: 60, seed: 29 })
  expect(asked).toBe(60)
  expect(cells).toBeGreaterThan(2000)
}, 120_000)
