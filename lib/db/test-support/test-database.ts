import pg from 'pg'
import { inject } from 'vitest'
import { endPool, switchPool } from '../pool.ts'
import { cloneTemplate, type TestServer } from './test-cluster.ts'

export type TestDatabase = {
  /** The address for the role that owns the tables. */
  url: string
  /** For roles that own nothing: web server, worker, and one with the rights of both. */
  urls: TestServer['roles']
  /** Runs SQL as the owner, seeing every organization: to arrange and to inspect. */
  query: <Row extends Record<string, unknown> = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ) => Promise<Row[]>
  /** Removes the database and ends the process's pool. */
  drop: () => Promise<void>
}

/**
 * A database for one test file, cloned from the migrated template. This process's pool points at
 * it, with one of the program's roles: `as` the web server, the worker, or one that stands in for
 * both.
 */
export async function createTestDatabase(as: keyof TestServer['roles'] = 'both'): Promise<TestDatabase> {
  const { url, urls, drop } = await cloneTemplate(inject('testServer'))
  await switchPool(urls[as])
  const owner = new pg.Client({ connectionString: url, options: '-c tieout.scope=system' })
  await owner.connect()
  return {
    url,
    urls,
    query: async (text, values) => (await owner.query(text, values)).rows,
    drop: async () => {
      await owner.end()
      await endPool()
      await drop()
    },
  }
}
