import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Sql } from '#lib/db/tenant.ts'
import { BINARY_HEADER, BINARY_TRAILER } from './copy-binary.ts'
import { MARK_COLUMNS } from './row-mark.ts'
import type { Stage } from './staged-rows.ts'

/** The stages a transaction has filled. */
const filled = new WeakMap<Sql, Set<string>>()

/**
 * Replaces the records in a temporary table of the transaction; after the transaction it is empty
 * again. COPY is the cheapest way in, but is refused under row-level security: hence a temporary
 * table (docs/decisions/009-bulk-apply.md). Takes the chunks out of `staged`: records may wait in
 * the database for a while, and need not be kept here too.
 */
export async function stageRecords<Item>(sql: Sql, stage: Stage<Item>, staged: Buffer[]): Promise<void> {
  const { table, isBinary } = stage
  await emptyStage(sql, stage)
  const names = columnsOf(stage).map(({ name }) => name)
  const format = isBinary ? ' (format binary)' : ''
  const copy = sql.client.query(copyFrom(`copy pg_temp.${table} (${names.join(', ')}) from stdin${format}`))
  if (isBinary) copy.write(BINARY_HEADER)
  while (staged.length > 0) copy.write(staged.shift())
  if (isBinary) copy.write(BINARY_TRAILER)
  copy.end()
  await finished(copy)
}

/** The connection keeps the table for later transactions, unless its first one is rolled back. */
async function emptyStage<Item>(sql: Sql, stage: Stage<Item>): Promise<void> {
  const { table } = stage
  const ofTransaction = filled.get(sql) ?? new Set()
  filled.set(sql, ofTransaction)
  if (ofTransaction.has(table)) await sql(`truncate pg_temp.${table}`)
  else {
    const definition = columnsOf(stage)
      .map(({ name, type }) => `${name} ${type}`)
      .join(', ')
    await sql(`create temporary table if not exists ${table} (${definition}) on commit delete rows`)
  }
  ofTransaction.add(table)
}

function columnsOf<Item>({ columns, isMarked }: Stage<Item>): { name: string; type: string }[] {
  return isMarked ? [...columns, ...MARK_COLUMNS] : [...columns]
}
