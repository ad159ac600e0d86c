/**
 * Global set-up for `npm run soak -- citus`: the integration tests, and a browser's stories, on a
 * cluster that runs already.
 * A template is made and given its places; each test's database is cloned from it on every node.
 */
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { distribute } from '../cluster/distribute.ts'
import { EMBEDDED_ROLES } from '../embedded-postgres.ts'
import { databaseUrl, TEMPLATE_DATABASE, type TestServer } from './test-cluster.ts'

/** The owner reads all of a cluster: what it is told of whose rows stays on the coordinator. */
const ROLES = {
  tieout_test: 'createdb bypassrls',
  [EMBEDDED_ROLES.web]: '',
  [EMBEDDED_ROLES.worker]: '',
  tieout_test_both: '',
}

/**
 * Makes roles and a database anew, on every node; it is empty, and knows its workers.
 * @param superuser of the coordinator, for any of its databases
 * @returns the addresses of the database for the owner of its tables and for who may what all
 *   processes may, and of each node outside it
 */
export async function createClusterDatabase(
  superuser: string,
  name: string,
): Promise<{ owner: string; both: string; outside: string[] }> {
  const nodes = await listNodes(superuser)
  const outside = nodes.map((url) => databaseUrl(url, 'postgres'))
  for (const url of outside)
    await run(url, [
      ...Object.entries(ROLES).map(
        ([name, rights]) =>
          `do $$ begin create role ${name} login; exception when duplicate_object then null; end $$; alter role ${name} ${rights || 'login'}`,
      ),
      `grant ${Object.values(EMBEDDED_ROLES).join(', ')} to tieout_test_both`,
      'grant pg_signal_backend, pg_read_all_stats to tieout_test',
      `drop database if exists ${name} with (force)`,
      `create database ${name} owner tieout_test`,
    ])
  for (const url of nodes) await run(databaseUrl(url, name), ['create extension citus'])
  const [coordinator = '', ...workers] = nodes.map((url) => new URL(databaseUrl(url, name)))
  await run(`${coordinator}`, [
    `select citus_set_coordinator_host('${(coordinator as URL).hostname}', ${(coordinator as URL).port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
    `alter database ${name} set citus.shard_count = 4`,
  ])
  const [owner, both] = [asRole('tieout_test', `${coordinator}`), asRole('tieout_test_both', `${coordinator}`)]
  return { owner, both, outside }
}

const asRole = (role: string, url: string) => `${Object.assign(new URL(url), { username: role, password: '' })}`

/** Makes roles and template anew. `superuser`: of the coordinator, for any of its databases. */
export async function startCitusCluster(superuser: string): Promise<TestServer> {
  const { owner, outside } = await createClusterDatabase(superuser, TEMPLATE_DATABASE)
  await prepareSchema(owner, EMBEDDED_ROLES)
  await distribute(owner)
  // who clones needs the template to itself, and the engine's own process would join it
  for (const url of outside)
    await run(url, [
      `alter database ${TEMPLATE_DATABASE} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE_DATABASE}'`,
    ])
  const role = (name: string) => asRole(name, databaseUrl(superuser, 'postgres'))
  return {
    owner: role('tieout_test'),
    superuser: databaseUrl(superuser, 'postgres'),
    nodes: outside,
    roles: { web: role(EMBEDDED_ROLES.web), worker: role(EMBEDDED_ROLES.worker), both: role('tieout_test_both') },
  }
}

async function run(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The addresses of the coordinator and its workers. */
async function listNodes(superuser: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: superuser })
  await client.connect()
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by 2',
    )
    return [
      superuser,
      ...rows.map(({ host, port }) => `${Object.assign(new URL(superuser), { hostname: host, port })}`),
    ]
  } finally {
    await client.end()
  }
}

// one value, however many copies of this module there are
const holder = globalThis as { tieoutCitusCluster?: Promise<TestServer> }

export default async function setup(project: TestProject): Promise<void> {
  const { TEST_CLUSTER_URL: url = '' } = process.env
  // each project of vitest.config.ts asks
  holder.tieoutCitusCluster ??= startCitusCluster(url)
  project.provide('testServer', await holder.tieoutCitusCluster)
}
