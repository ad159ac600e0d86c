/** Global set-up of Vitest and Playwright: one PostgreSQL, and a migrated template to clone. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { findDatabaseFolder } from '#lib/cli/test/memory-folder.ts'
import type { Process } from '../access.ts'
import { EMBEDDED_ROLES, startEmbeddedPostgres } from '../embedded-postgres.ts'

/** One server, as its roles see it; `both` has web server's and worker's rights, owns nothing. */
export type TestServer = {
  owner: string
  superuser: string
  roles: Record<Process | 'both', string>
  /** Of a cluster: each node, as its superuser sees it. A database is then one on every node. */
  nodes?: string[]
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export const TEMPLATE_DATABASE = 'tieout_test_template'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of the test server: one per checkout and user, to keep them apart. */
function clusterFolder({ checkout, temporary }: TestClusterPlace): string {
  const owner = `${join(checkout, '/')} ${process.getuid?.() ?? ''}`
  return join(temporary, `tieout-test-${createHash('sha256').update(owner).digest('hex').slice(0, 12)}`)
}

/** What a test server belongs to: a checkout (or a copy), below its tests' temporary folder. */
export type TestClusterPlace = { checkout: string; temporary: string }

/**
 * Starts (or joins) the test server and migrates its template. Several test runs share one server;
 * the last to call `stop` stops it.
 */
export async function startTestCluster(
  place: TestClusterPlace = { checkout: projectRoot, temporary: findDatabaseFolder() },
): Promise<{ server: TestServer; stop: () => Promise<void> }> {
  // the tests' data may be lost in a crash of the machine
  const folder = clusterFolder(place)
  const server = await startEmbeddedPostgres(folder, 'tieout_test', [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_connections=300',
    // what the log keeps of what is gone takes memory
    'min_wal_size=32MB',
    'max_wal_size=512MB',
    'autovacuum=off',
  ])
  await withServer(server.url, async (client) => {
    if (server.startedHere) await dropLeftovers(client)
    await prepareTemplate(client, server.url)
  })
  const superuser = superuserUrl(folder, server.url)
  const both = await provideRoleOfBoth(superuser, server.url)
  return { server: { owner: server.url, superuser, roles: { ...server.urls, both } }, stop: server.leave }
}

/** For the server's own start, and for tests of what a superuser could do. */
function superuserUrl(folder: string, ownerUrl: string): string {
  const { superuserPassword } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as Record<string, string>
  const url = new URL(ownerUrl)
  url.username = 'postgres'
  url.password = superuserPassword ?? ''
  return url.toString()
}

/** For tests that stand in for both processes at once. */
async function provideRoleOfBoth(superuser: string, ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl)
  url.username = 'tieout_test_both'
  await withServer(superuser, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [url.username])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await client.query(`${verb} role ${url.username} login password '${url.password}'`)
    await client.query(`grant ${Object.values(EMBEDDED_ROLES).join(', ')} to ${url.username}`)
    // tests inspect the sessions of all roles, and end them as a restart of the server would
    await client.query(`grant pg_signal_backend, pg_read_all_stats to ${new URL(ownerUrl).username}`)
  })
  return url.toString()
}

async function prepareTemplate(client: pg.Client, serverUrl: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE_DATABASE])
  const templateUrl = databaseUrl(serverUrl, TEMPLATE_DATABASE)
  if (rowCount === 0) await client.query(`create database ${TEMPLATE_DATABASE}`)
  try {
    await prepareSchema(templateUrl, EMBEDDED_ROLES)
  } catch {
    // a migration was edited since the last run: rebuild the template, which only tests use
    await client.query(`drop database ${TEMPLATE_DATABASE} with (force)`)
    await client.query(`create database ${TEMPLATE_DATABASE}`)
    await prepareSchema(templateUrl, EMBEDDED_ROLES)
  }
  await withServer(templateUrl, (template) => template.query(PLAUSIBLE_STATISTICS))
}

/**
 * What the planner believes of tables that nobody has analyzed, as after autovacuum's first look at
 * an installation of one account: rows belong to a few owners. Without it every condition on the
 * owner counts as one row in two hundred, and statements over a few thousand lines become loops of
 * a second each, which no installation has for longer than a minute.
 */
const PLAUSIBLE_STATISTICS = `
  select pg_restore_attribute_stats(
    'schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
    'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 2::real)
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and a.attname in ('organization_id', 'connection_id')`

/** Databases of killed runs: nobody uses a server that has just started. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`
    select datname from pg_database
    where datname ~ '^tieout_test_[0-9a-f]{12}$' and datname not in (select datname from pg_stat_activity where datname is not null)`)
  for (const { datname } of rows) await client.query(`drop database ${datname}`)
}

/** `url` is the owner's address; `urls` are those of the roles that own nothing. */
export type ClonedDatabase = {
  url: string
  urls: TestServer['roles']
  /** Ends every connection to it, and makes it again under its name, as new. */
  renew: () => Promise<void>
  drop: () => Promise<void>
}

/** A fresh migrated database, cloned from the template in milliseconds. */
export async function cloneTemplate({ owner, roles, nodes = [owner] }: TestServer): Promise<ClonedDatabase> {
  const name = `tieout_test_${randomBytes(6).toString('hex')}`
  const create = `create database ${name} owner "${new URL(owner).username}" template ${TEMPLATE_DATABASE} strategy file_copy`
  const remove = `drop database ${name} with (force)`
  const run = async (...statements: string[]) => {
    for (const node of nodes)
      await withServer(node, async (server) => {
        for (const statement of statements) await server.query(statement)
      })
  }
  await run(create)
  const renew = () => run(remove, create)
  const drop = () => run(remove)
  const { web, worker, both } = roles
  const urls = { web: databaseUrl(web, name), worker: databaseUrl(worker, name), both: databaseUrl(both, name) }
  return { url: databaseUrl(owner, name), urls, renew, drop }
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
  project.provide('testServer', cluster.server)
  return cluster.stop
}
