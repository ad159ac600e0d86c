/**
 * `npm run soak -- citus-failover`: a coordinator and two workers of a Citus cluster, each with a
 * standby under Patroni, on this machine; organizations write their audit and read it. One worker's
 * machine is killed, then the coordinator's. Needs Debian's patroni, etcd-server and haproxy, and
 * the engine in Debian's PostgreSQL, as its operator installed it.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { distribute } from '#lib/db/cluster/distribute.ts'
import { EMBEDDED_ROLES } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { findGap } from '#lib/world/gaps.ts'
import { type OwnPatroni, requirePatroni, startOwnEtcd, startOwnPatroni } from '#lib/world/own-patroni.ts'

const DATABASE = 'tieout'
const OWNER = 'tieout'
const ORGANIZATIONS = 8
const BEFORE_MS = 10_000
const AFTER_MS = 20_000
const READY_WITHIN_MS = 120_000

type Writer = { id: OrganizationId; group: number; acknowledged: { number: number; at: number }[]; refused: number }

/** @throws CommandError when something is missing, or what was acknowledged is not there. */
export async function soakCitusFailover(lifetime: Lifetime): Promise<void> {
  requirePatroni()
  const { signal } = lifetime
  const folder = mkdtempSync(join(tmpdir(), 'tieout-cluster-'))
  chmodSync(folder, 0o711)
  lifetime.onEnd('folder', async () => rmSync(folder, { recursive: true, force: true }))
  const groups = await startGroups(lifetime, folder)
  const coordinator = groups[0] as OwnPatroni
  await prepareSchema(coordinator.databaseUrl, EMBEDDED_ROLES)
  await distribute(coordinator.databaseUrl)
  // as a web server: the policies bind it
  await switchPool(`${Object.assign(new URL(coordinator.databaseUrl), { username: EMBEDDED_ROLES.web })}`)
  lifetime.onEnd('connections', () => endPool())
  const writers = await addWriters(groups)
  say(`  ${writers.map(({ group }) => group).join(' ')}: the groups that ${ORGANIZATIONS} organizations stand on`)
  const isOver = new AbortController()
  const writing = Promise.all(writers.map((writer) => write(writer, isOver.signal)))
  try {
    for (const [at, what] of [
      [1, 'the first worker'],
      [0, 'the coordinator'],
    ] as const) {
      const group = groups[at] as OwnPatroni
      const primary = await group.waitUntilSafe(signal)
      const from = Date.now()
      await delay(BEFORE_MS, undefined, { signal })
      const blow = Date.now()
      group.killMachine(primary)
      await waitFor(async () => ((await group.findPrimary()) ?? primary) !== primary, signal)
      const seconds = (Date.now() - blow) / 1000
      await waitFor(async () => writers.every((each) => (each.acknowledged.at(-1)?.at ?? 0) > blow + 1000), signal)
      await delay(AFTER_MS, undefined, { signal })
      group.startMachine(primary)
      await group.waitUntilSafe(signal)
      const gapOf = (some: Writer[]) => {
        const gaps = some.map(({ acknowledged }) =>
          findGap(
            acknowledged.map((each) => each.at),
            { from, blow, to: Date.now() },
          ),
        )
        return Math.max(...gaps.map((gap) => gap.seconds)).toFixed(1)
      }
      const [there, elsewhere] = [
        writers.filter((each) => each.group === 1),
        writers.filter((each) => each.group !== 1),
      ]
      say(
        `${what} killed: its standby is written to after ${seconds.toFixed(1)} s; longest time without an acknowledged entry: organizations on the first worker ${gapOf(there)} s, on the second ${gapOf(elsewhere)} s`,
      )
    }
  } finally {
    isOver.abort()
    await Promise.allSettled([writing])
  }
  await requireAll(writers)
}

async function startGroups(lifetime: Lifetime, folder: string): Promise<OwnPatroni[]> {
  const etcdPort = await startOwnEtcd(lifetime, join(folder, 'etcd'))
  const groups: OwnPatroni[] = []
  for (const group of [0, 1, 2])
    groups.push(
      await startOwnPatroni(lifetime, { folder: join(folder, `group-${group}`), database: DATABASE, etcdPort, group }),
    )
  const [{ superuserUrl }] = groups as [OwnPatroni]
  await waitFor(
    () =>
      withConnection(superuserUrl, async (client) => {
        const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pg_dist_node')
        return rows[0]?.count === groups.length
      }),
    lifetime.signal,
  )
  say('  a coordinator and two workers, each with a standby that has everything')
  // what tables are made with reads all of a cluster; the engine passes roles on
  await withConnection(superuserUrl, async (client) => {
    for (const role of [`${OWNER} login bypassrls`, ...Object.values(EMBEDDED_ROLES).map((name) => `${name} login`)])
      await client.query(`create role ${role}`)
  })
  for (const { superuserUrl: url } of groups)
    await withConnection(url, (client) =>
      client.query(`set citus.enable_ddl_propagation = off; grant all on schema public to ${OWNER};
        grant all on database ${DATABASE} to ${OWNER}`),
    )
  return groups
}

async function addWriters(groups: OwnPatroni[]): Promise<Writer[]> {
  const ports = await Promise.all(
    groups.map(async (group) => new Set(['db1', 'db2'].map((name) => group.portOf(name)))),
  )
  const { superuserUrl } = groups[0] as OwnPatroni
  const writers: Writer[] = []
  for (let at = 0; at < ORGANIZATIONS; at++) {
    const [row] = await withConnection(superuserUrl, async (client) => {
      const text = 'insert into organization (name) values ($1) returning id'
      return (await client.query<{ id: OrganizationId }>(text, [`Organization ${at}`])).rows
    })
    const { id } = row as { id: OrganizationId }
    const [place] = await withConnection(superuserUrl, async (client) => {
      const text = `select nodeport as port from citus_shards
        where shardid = get_shard_id_for_distribution_column('audit_entry', $1::uuid) and table_name = 'audit_entry'::regclass`
      return (await client.query<{ port: number }>(text, [id])).rows
    })
    writers.push({ id, group: ports.findIndex((each) => each.has(place?.port ?? 0)), acknowledged: [], refused: 0 })
  }
  return writers
}

/** An entry of the audit, again and again, whatever the answer. */
async function write(writer: Writer, over: AbortSignal): Promise<void> {
  for (let number = 0; !over.aborted; number++) {
    try {
      await withTenantSql(writer.id, (sql) =>
        recordAudit(sql, writer.id, {
          actor: { kind: 'operator', name: 'npm run soak' },
          action: 'figures.repaired',
          after: { number },
        }),
      )
      writer.acknowledged.push({ number, at: Date.now() })
    } catch {
      writer.refused++
      await delay(100)
    }
    await delay(50)
  }
}

/** Everything acknowledged is there once, and each chain has every number up to its end. */
async function requireAll(writers: Writer[]): Promise<void> {
  let [entries, lost, gaps] = [0, 0, 0]
  for (const { id, acknowledged } of writers) {
    const rows = await withTenantSql(id, (sql) =>
      sql<{ place: number; number: number }>(
        `select number::int as place, (after::json->>'number')::int as number from audit_entry where organization_id = $1 order by number`,
        [id],
      ),
    )
    const found = new Set(rows.map(({ number }) => number))
    entries += acknowledged.length
    lost += acknowledged.filter(({ number }) => !found.has(number)).length
    gaps += rows.filter(({ place }, at) => place !== at + 1).length
  }
  const refused = writers.reduce((sum, each) => sum + each.refused, 0)
  say(JSON.stringify({ soak: 'citus-failover', acknowledged: entries, lost, outOfPlace: gaps, refused }))
  if (lost > 0 || gaps > 0) throw new CommandError('What was acknowledged is not there.')
}

async function waitFor(isThere: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; !(await isThere()); await delay(200, undefined, { signal }))
    if (Date.now() > deadline) throw new CommandError('The cluster did not go on in time.')
}
