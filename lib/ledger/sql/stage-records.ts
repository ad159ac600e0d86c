import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Sql } from '#lib/db/tenant.ts'
import { createCopyChunks, toFieldWriter } from './copy-text.ts'

/** One column: its PostgreSQL type, and its value from a record or from the record's mark. */
export type StagedColumn<Item, Mark = unknown> = {
  name: string
  type: string
  value: (item: Item, mark: Mark) => unknown
}

export type Stage<Item, Mark = void> = {
  /** A name chosen in this program: letters and underscores. */
  table: string
  columns: readonly StagedColumn<Item, Mark>[]
}

/** The stages a transaction has filled. */
const filled = new WeakMap<Sql, Set<string>>()

/** Formats records for COPY, one by one. */
export function createStageWriter<Item, Mark = void>({
  columns,
}: Stage<Item, Mark>): { add: (item: Item, mark: Mark) => void; end: () => Buffer[] } {
  const chunks = createCopyChunks()
  const fields = columns.map(({ type, value }) => ({ value, write: toFieldWriter(type) }))
  return {
    add: (item, mark) => {
      let row = ''
      for (const { value, write } of fields) row += `${write(value(item, mark))}\t`
      chunks.add(`${row.slice(0, -1)}\n`)
    },
    end: chunks.end,
  }
}

/**
 * Replaces the records in a temporary table of the transaction; after the transaction it is empty
 * again. COPY is the cheapest way in, but is refused under row-level security: hence a temporary
 * table (docs/decisions/009-bulk-apply.md).
 */
export async function stageRecords<Item, Mark>(
  sql: Sql,
  stage: Stage<Item, Mark>,
  staged: readonly Buffer[],
): Promise<void> {
  const { table, columns } = stage
  await emptyStage(sql, stage)
  const names = columns.map(({ name }) => name).join(', ')
  const copy = sql.client.query(copyFrom(`copy pg_temp.${table} (${names}) from stdin`))
  for (const chunk of staged) copy.write(chunk)
  copy.end()
  await finished(copy)
}

/** The connection keeps the table for later transactions, unless its first one is rolled back. */
async function emptyStage<Item, Mark>(sql: Sql, { table, columns }: Stage<Item, Mark>): Promise<void> {
  const ofTransaction = filled.get(sql) ?? new Set()
  filled.set(sql, ofTransaction)
  if (ofTransaction.has(table)) await sql(`truncate pg_temp.${table}`)
  else {
    const definition = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
    await sql(`create temporary table if not exists ${table} (${definition}) on commit delete rows`)
  }
  ofTransaction.add(table)
}
