/** DuckDB beside the lake. */
import { DuckDBInstance } from '@duckdb/node-api'

export type Duck = { ask: (text: string) => Promise<Record<string, unknown>[]> }

/** In memory, two threads; the process's end closes it. */
export async function openDuck(): Promise<Duck> {
  const duck = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  return { ask: async (text) => (await duck.runAndReadAll(text)).getRowObjectsJson() }
}
