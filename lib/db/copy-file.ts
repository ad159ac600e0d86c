import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Sql } from './tenant.ts'

/** Writes a query's rows to a file, in COPY's text format. `query` must be our own text. */
export function copyToFile(sql: Sql, query: string, file: string): Promise<void> {
  return pipeline(sql.client.query(copyTo(`copy (${query}) to stdout`)), createWriteStream(file))
}

/** Reads a file in COPY's text format into a table, which must not be under row-level security. */
export function copyFromFile(sql: Sql, table: string, file: string): Promise<void> {
  return pipeline(
    createReadStream(file, { highWaterMark: 1 << 20 }),
    sql.client.query(copyFrom(`copy ${table} from stdin`)),
  )
}
