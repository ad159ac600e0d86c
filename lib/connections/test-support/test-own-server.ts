/** For tests: a PostgreSQL server that one test may stop without disturbing the others. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { EMBEDDED_ROLES, type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import type { TestDatabase } from '#lib/db/test-support/test-database.ts'

export type OwnServer = { database: TestDatabase; stop: () => Promise<void>; start: () => Promise<void> }

/** Keeps the server from writing by itself, so a test can count commits. */
const OPTIONS = ['fsync=off', 'full_page_writes=off', 'max_connections=50', 'autovacuum=off']

export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-own-'))
  chmodSync(folder, 0o711) // PostgreSQL may run as another account that must traverse it
  let server: EmbeddedPostgres = await startEmbeddedPostgres(folder, 'tieout', OPTIONS)
  const { url, urls } = server
  await prepareSchema(url, EMBEDDED_ROLES)
  await switchPool(url)
  const query: TestDatabase['query'] = async (text, values) => {
    // the server may have been away: each query gets a fresh connection
    const client = new pg.Client({ connectionString: url, options: '-c tieout.scope=system' })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const stop = () => server.leave()
  return {
    stop,
    start: async () => {
      server = await startEmbeddedPostgres(folder, 'tieout', OPTIONS)
      if (server.url !== url) throw new Error('the server came back at another address')
    },
    database: {
      url,
      urls: { ...urls, both: url },
      query,
      drop: async () => {
        await endPool()
        await stop()
        rmSync(folder, { recursive: true, force: true })
      },
    },
  }
}
