import pg from 'pg'
import { inject } from 'vitest'
import { endPool, switchPool } from './pool.ts'
import { cloneTemplate } from './test-cluster.ts'

export type TestDatabase = {
  url: string
  /** Runs SQL outside every tenant scope, as the owner with row-level security off: to arrange and to look. */
  query: <Row extends Record<string, unknown> = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ) => Promise<Row[]>
  /** Removes the database and ends the process's pool. */
  drop: () => Promise<void>
}

/** A database of one test file's own, cloned from the migrated template; this process's pool points at it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await cloneTemplate(inject('testServerUrl'))
  await switchPool(url)
  const owner = new pg.Client({ connectionString: url, options: '-c tieout.scope=system' })
  await owner.connect()
  return {
    url,
    query: async (text, values) => (await owner.query(text, values)).rows,
    drop: async () => {
      await owner.end()
      await endPool()
      await drop()
    },
  }
}
