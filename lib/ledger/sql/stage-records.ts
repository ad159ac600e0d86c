import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Sql } from '#lib/db/tenant.ts'
import { createCopyChunks, toFieldWriter } from './copy-text.ts'

/**
 * One column: its PostgreSQL type, and the value it takes from a record, or from what is known of
 * it here.
 */
export type StagedColumn<Item, Mark = unknown> = {
  name: string
  type: string
  value: (item: Item, mark: Mark) => unknown
}

export type Stage<Item, Mark = void> = {
  /** A name of the program's own: letters and underscores. */
  table: string
  columns: readonly StagedColumn<Item, Mark>[]
}

/** The stages that a transaction has filled. */
const filled = new WeakMap<Sql, Set<string>>()

/** Writes records as COPY takes them, one by one. */
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
 * Puts records into a temporary table of the transaction, instead of those that it held; it is
 * empty again after the transaction. COPY, because it is the cheapest way in; a temporary table,
 * because COPY is refused where there is row-level security (docs/decisions/009-bulk-apply.md).
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

/**
 * The connection keeps the table for its next transaction, unless the one that made it is rolled
 * back.
 */
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
