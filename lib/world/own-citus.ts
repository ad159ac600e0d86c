/**
 * A Citus cluster that Patroni keeps: a coordinator and two workers, each with a standby, on this
 * machine. Needs what own-patroni.ts does, and the engine in Debian's PostgreSQL, as its operator
 * installed it.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { distribute } from '#lib/db/cluster/distribute.ts'
import { EMBEDDED_ROLES } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type OwnPatroni, startOwnEtcd, startOwnPatroni } from './own-patroni.ts'

const DATABASE = 'tieout'
const [OWNER, BOTH] = ['tieout', 'tieout_both']
const READY_WITHIN_MS = 120_000

/** `databaseUrl`: at the coordinator, for a role that may what web server and worker may. */
export type OwnCitus = {
  databaseUrl: string
  coordinator: OwnPatroni
  /** The pair on which the organization's rows stand. */
  nodeOf: (organizationId: OrganizationId) => Promise<OwnPatroni>
}

/** Starts it with the schema, each table in its place; the lifetime ends all of it. */
export async function startOwnCitus(lifetime: Lifetime, folder: string): Promise<OwnCitus> {
  const etcdPort = await startOwnEtcd(lifetime, join(folder, 'etcd'))
  const groups: OwnPatroni[] = []
  for (const group of [0, 1, 2])
    groups.push(
      await startOwnPatroni(lifetime, { folder: join(folder, `group-${group}`), database: DATABASE, etcdPort, group }),
    )
  const [coordinator] = groups as [OwnPatroni]
  await waitForNodes(coordinator, groups.length, lifetime.signal)
  await makeRoles(groups)
  await prepareSchema(coordinator.databaseUrl, EMBEDDED_ROLES)
  await distribute(coordinator.databaseUrl)
  return {
    databaseUrl: `${Object.assign(new URL(coordinator.databaseUrl), { username: BOTH })}`,
    coordinator,
    nodeOf: async (organizationId) => {
      const port = await withConnection(coordinator.superuserUrl, async (client) => {
        const text = `select nodeport as port from citus_shards where table_name = 'connection'::regclass
          and shardid = get_shard_id_for_distribution_column('connection', $1::uuid)`
        return (await client.query<{ port: number }>(text, [organizationId])).rows[0]?.port
      })
      const node = groups.find((group) => ['db1', 'db2'].some((name) => group.portOf(name) === port))
      if (node === undefined) throw new CommandError('The organization stands on no node.')
      return node
    },
  }
}

/** Patroni tells the coordinator of each group. */
async function waitForNodes({ superuserUrl }: OwnPatroni, count: number, signal: AbortSignal): Promise<void> {
  const known = async () =>
    withConnection(superuserUrl, async (client) => {
      return (await client.query<{ count: number }>('select count(*)::int as count from pg_dist_node')).rows[0]?.count
    })
  for (
    const deadline = Date.now() + READY_WITHIN_MS;
    (await known()) !== count;
    await delay(200, undefined, { signal })
  )
    if (Date.now() > deadline) throw new CommandError('The coordinator did not hear of its workers in time.')
}

/** Who owns the tables reads all of a cluster. Roles are passed on, a schema's rights are not. */
async function makeRoles(groups: OwnPatroni[]): Promise<void> {
  const [{ superuserUrl }] = groups as [OwnPatroni]
  const roles = Object.values(EMBEDDED_ROLES)
  await withConnection(superuserUrl, async (client) => {
    for (const role of [`${OWNER} login bypassrls`, ...[BOTH, ...roles].map((name) => `${name} login`)])
      await client.query(`create role ${role}`)
    await client.query(`grant ${roles.join(', ')} to ${BOTH}`)
  })
  for (const { superuserUrl: url } of groups)
    await withConnection(url, (client) =>
      client.query(`set citus.enable_ddl_propagation = off; grant all on schema public to ${OWNER};
        grant all on database ${DATABASE} to ${OWNER}`),
    )
}
