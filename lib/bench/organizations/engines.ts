/** The same schema in one PostgreSQL and on a cluster, each in a database of its own. */
import { join } from 'node:path'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { EMBEDDED_ROLES } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'
import { findServerTools, startOwnServer } from '#lib/world/own-server.ts'

export type Engine = 'PostgreSQL' | 'Citus'

/** Addresses of one database by role; `both` may what web server and worker may. */
export type EngineDatabase = { owner: string; both: string; web: string; worker: string; superuser: string }

const DATABASE = 'tieout_organizations'
const [OWNER, BOTH] = ['tieout_bench', 'tieout_bench_both']
/** What docs/operations.md asks of a server, where a database can be told it: the same on both. */
const SETTINGS = { jit: 'off', work_mem: '32MB', random_page_cost: '1.1' }
/** Of each table; half of the engine's own number is enough for two nodes of one machine. */
const SHARDS = 16

/** Of the version that the cluster stands in, where Debian's newest is that one. */
export async function openPlain(lifetime: Lifetime, folder: string): Promise<EngineDatabase> {
  const server = await startOwnServer(lifetime, findServerTools(), join(folder, 'plain'))
  const { superuser } = await server.createDatabase('unused')
  return openDatabase([databaseUrl(superuser, 'postgres')], false)
}

/**
 * Makes the database anew on every node, with all tables still at the coordinator; the lifetime
 * drops it. `superuser`: of the coordinator.
 */
export async function openCluster(lifetime: Lifetime, superuser: string): Promise<EngineDatabase> {
  const nodes = await listNodes(superuser)
  lifetime.onEnd('database of the cluster', () => dropDatabase(nodes))
  return openDatabase(nodes, true)
}

async function openDatabase(nodes: string[], isCluster: boolean): Promise<EngineDatabase> {
  const [first = ''] = nodes
  const { password } = new URL(first)
  await dropDatabase(nodes)
  // who owns tables reads all of a cluster: what it is told of whose rows stays on the coordinator
  const roles = { [OWNER]: isCluster ? 'bypassrls' : '', [BOTH]: '', ...fromNames(Object.values(EMBEDDED_ROLES)) }
  for (const url of nodes)
    await run(url, [
      ...Object.entries(roles).map(
        ([name, rights]) =>
          `do $$ begin create role ${name}; exception when duplicate_object then null; end $$; alter role ${name} login ${rights} ${password === '' ? '' : `password '${password}'`}`,
      ),
      `grant ${Object.values(EMBEDDED_ROLES).join(', ')} to ${BOTH}`,
      `create database ${DATABASE} owner ${OWNER}`,
      ...Object.entries(SETTINGS).map(([name, value]) => `alter database ${DATABASE} set ${name} = '${value}'`),
    ])
  const urls = nodes.map((url) => databaseUrl(url, DATABASE))
  if (isCluster) await joinNodes(urls)
  const superuser = urls[0] as string
  const as = (username: string) => `${Object.assign(new URL(superuser), { username })}`
  await prepareSchema(as(OWNER), EMBEDDED_ROLES)
  return { owner: as(OWNER), both: as(BOTH), web: as(EMBEDDED_ROLES.web), worker: as(EMBEDDED_ROLES.worker), superuser }
}

const fromNames = (names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

async function joinNodes(urls: string[]): Promise<void> {
  for (const url of urls) await run(url, ['create extension citus'])
  const [coordinator, ...workers] = urls.map((url) => new URL(url)) as [URL, ...URL[]]
  await run(`${coordinator}`, [
    `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
    `alter database ${DATABASE} set citus.shard_count = ${SHARDS}`,
  ])
}

/** The addresses of the coordinator and its workers, in the database that every server has. */
async function listNodes(superuser: string): Promise<string[]> {
  const places = await withConnection(superuser, async (client) => {
    const text = 'select nodename as hostname, nodeport as port from pg_dist_node where groupid <> 0 order by 2'
    return (await client.query<{ hostname: string; port: number }>(text)).rows
  })
  const at = ({ hostname, port }: { hostname: string; port: number }) =>
    `${Object.assign(new URL(superuser), { hostname, port: `${port}` })}`
  return [superuser, ...places.map(at)].map((url) => databaseUrl(url, 'postgres'))
}

async function dropDatabase(nodes: string[]): Promise<void> {
  for (const url of nodes) await run(url, [`drop database if exists ${DATABASE} with (force)`])
}

async function run(url: string, statements: string[]): Promise<void> {
  await withConnection(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

function databaseUrl(url: string, database: string): string {
  return `${Object.assign(new URL(url), { pathname: `/${database}` })}`
}
