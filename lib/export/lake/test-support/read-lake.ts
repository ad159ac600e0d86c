/** For tests and the benchmark: what DuckDB, a program that is not ours, reads in a lake. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { LakeKind } from '#lib/ledger/lake/model.ts'

export type LakeReader = { ask: (text: string) => Promise<Record<string, unknown>[]>; close: () => void }

/** Texts for numbers: nothing of them may be lost on the way. */
export async function openDuck(): Promise<LakeReader> {
  const duck: DuckDBConnection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  return {
    ask: async (text) => (await duck.runAndReadAll(text)).getRowObjectsJson(),
    close: () => duck.closeSync(),
  }
}

/** All files of a kind beneath a root, as a table of DuckDB. */
export function toLakeTable(root: string, kind: LakeKind): string {
  return `read_parquet('${root}/*/${kind}/*/*.parquet', hive_partitioning = true, filename = true)`
}
