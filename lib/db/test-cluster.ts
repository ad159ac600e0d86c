/** Vitest's and Playwright's global set-up: one real PostgreSQL for all tests, and a migrated template to clone. */
import { createHash, randomBytes } from 'node:crypto'
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

/** Where the server for tests lives: one per checkout and user, so that neither gets in the other's way. */
function clusterFolder({ checkout, temporary }: TestClusterPlace): string {
  const owner = `${join(checkout, '/')} ${process.getuid?.() ?? ''}`
  return join(temporary, `tieout-test-${createHash('sha256').update(owner).digest('hex').slice(0, 12)}`)
}

/** Whose server for tests it is: that of a checkout (also of a copy), below what is the temporary folder for its tests. */
export type TestClusterPlace = { checkout: string; temporary: string }

/**
 * Starts (or joins) the server for tests and makes a fresh migrated template. Several test runs share one server; the
 * last of them to call `stop` stops it.
 */
export async function startTestCluster(
  place: TestClusterPlace = { checkout: projectRoot, temporary: tmpdir() },
): Promise<{ serverUrl: string; stop: () => Promise<void> }> {
  // what tests store may be lost with the machine
  const server = await startEmbeddedPostgres(clusterFolder(place), 'tieout_test', [
    ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300', 'autovacuum=off'],
  ])
  await withServer(server.url, async (client) => {
    if (server.startedHere) await dropLeftovers(client)
    await prepareTemplate(client, server.url)
  })
  return { serverUrl: server.url, stop: server.leave }
}

async function prepareTemplate(client: pg.Client, serverUrl: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE_DATABASE])
  const templateUrl = databaseUrl(serverUrl, TEMPLATE_DATABASE)
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
}

/** Databases of runs that were killed: nobody uses the server when it has just been started. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`
    select datname from pg_database
    where datname ~ '^tieout_test_[0-9a-f]{12}$' and datname not in (select datname from pg_stat_activity where datname is not null)`)
  for (const { datname } of rows) await client.query(`drop database ${datname}`)
}

export type ClonedDatabase = { url: string; drop: () => Promise<void> }

/** A fresh migrated database of the caller's own, cloned from the template in milliseconds. */
export async function cloneTemplate(serverUrl: string): Promise<ClonedDatabase> {
  const name = `tieout_test_${randomBytes(6).toString('hex')}`
  await withServer(serverUrl, (server) => server.query(`create database ${name} template ${TEMPLATE_DATABASE}`))
  const drop = () =>
    withServer(serverUrl, async (server) => void (await server.query(`drop database ${name} with (force)`)))
  return { url: databaseUrl(serverUrl, name), drop }
}

/** Cloning needs the template to itself: one at a time. */
async function withServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    return await work(client)
  } finally {
    await client.end()
  }
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
