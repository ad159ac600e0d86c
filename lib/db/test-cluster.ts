/** Vitest's and Playwright's global set-up: one real PostgreSQL for all tests, and a migrated template to clone. */
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string
  }
}

export const TEMPLATE_DATABASE = 'tieout_test_template'

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Starts (or joins) the server for tests and makes a fresh migrated template. Resolves to its address and how to stop it. */
export async function startTestCluster(): Promise<{ serverUrl: string; stop: () => Promise<void> }> {
  const folder = join(tmpdir(), `tieout-test-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 12)}`)
  const server = await startEmbeddedPostgres(folder, 'tieout_test')
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE_DATABASE])
  const templateUrl = databaseUrl(server.url, TEMPLATE_DATABASE)
  if (rowCount === 0) await client.query(`create database ${TEMPLATE_DATABASE}`)
  const directory = join(projectRoot, 'prisma', 'migrations')
  try {
    await migrate(templateUrl, directory)
  } catch {
    // a migration was edited since the last run: only the template of tests is made anew
    await client.query(`drop database ${TEMPLATE_DATABASE} with (force)`)
    await client.query(`create database ${TEMPLATE_DATABASE}`)
    await migrate(templateUrl, directory)
  }
  await client.end()
  return { serverUrl: server.url, stop: async () => (server.startedHere ? server.stop() : undefined) }
}

/** The same server's address for another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster()
  project.provide('testServerUrl', cluster.serverUrl)
  return cluster.stop
}
