import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Sql } from '#lib/db/tenant.ts'
import { createBinaryRows } from './copy-binary.ts'
import { createChunks, mostBytes } from './copy-chunks.ts'
import { toFieldWriter } from './copy-text.ts'

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
  /** For long texts: each column is one, and none is null. */
  isBinary?: true
}

/** The stages a transaction has filled. */
const filled = new WeakMap<Sql, Set<string>>()

/** Formats records for COPY, one by one. */
export function createStageWriter<Item, Mark = void>({
  columns,
  isBinary,
}: Stage<Item, Mark>): { add: (item: Item, mark: Mark) => void; end: () => Buffer[] } {
  if (isBinary) {
    const rows = createBinaryRows()
    return { add: (item, mark) => rows.add(columns.map(({ value }) => value(item, mark) as string)), end: rows.end }
  }
  const chunks = createChunks()
  const fields = columns.map(({ type, value }) => ({ value, write: toFieldWriter(type) }))
  return {
    add: (item, mark) => {
      let row = ''
      for (const { value, write } of fields) row += `${write(value(item, mark))}\t`
      row = `${row.slice(0, -1)}\n`
      const chunk = chunks.room(mostBytes(row))
      chunk.used += chunk.bytes.write(row, chunk.used)
    },
    end: chunks.end,
  }
}

/**
 * Replaces the records in a temporary table of the transaction; after the transaction it is empty
 * again. COPY is the cheapest way in, but is refused under row-level security: hence a temporary
 * table (docs/decisions/009-bulk-apply.md). Takes the chunks out of `staged`: records may wait in
 * the database for a while, and need not be kept here too.
 */
export async function stageRecords<Item, Mark>(sql: Sql, stage: Stage<Item, Mark>, staged: Buffer[]): Promise<void> {
  const { table, columns, isBinary } = stage
  await emptyStage(sql, stage)
  const names = columns.map(({ name }) => name).join(', ')
  const format = isBinary ? ' (format binary)' : ''
  const copy = sql.client.query(copyFrom(`copy pg_temp.${table} (${names}) from stdin${format}`))
  while (staged.length > 0) copy.write(staged.shift())
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
