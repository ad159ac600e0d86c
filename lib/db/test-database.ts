import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { endPool, switchPool } from './pool.ts'
import { databaseUrl, TEMPLATE_DATABASE } from './test-cluster.ts'

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
  const serverUrl = inject('testServerUrl')
  const name = `tieout_test_${randomBytes(6).toString('hex')}`
  await withServer(serverUrl, (server) => server.query(`create database ${name} template ${TEMPLATE_DATABASE}`))
  const url = databaseUrl(serverUrl, name)
  await switchPool(url)
  const owner = new pg.Client({ connectionString: url, options: '-c tieout.scope=system' })
  await owner.connect()
  return {
    url,
    query: async (text, values) => (await owner.query(text, values)).rows,
    drop: async () => {
      await owner.end()
      await endPool()
      await withServer(serverUrl, (server) => server.query(`drop database ${name} with (force)`))
    },
  }
}

async function withServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    // cloning needs the template to itself: one clone at a time
    await client.query('select pg_advisory_lock(1)')
    return await work(client)
  } finally {
    await client.end()
  }
}
