/**
 * `npm run soak -- citus-moves`: a line changes while its organization moves from node to node of a
 * cluster that runs already, and back, and so does a setting of its checks. The history tells the
 * changes in their order, the bridges since each moment begin with what the line was then, and the
 * last setting counts. DATABASE_URL is the superuser's at the coordinator of a cluster to try
 * things on.
 */
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { type Connection, withConnection } from '#lib/db/one-connection.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { startCitusCluster } from '#lib/db/test-support/test-citus-cluster.ts'
import { cloneTemplate, databaseUrl } from '#lib/db/test-support/test-cluster.ts'
import { settings } from '#lib/env.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { listLineHistory } from '#lib/ledger/history/history.ts'
import { readMoments } from '#lib/ledger/history/moments.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { setCheck } from '#lib/ledger/rules/change-rules.ts'
import { readRules } from '#lib/ledger/rules/read-rules.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { CHECK_LEVELS } from '#lib/reconcile/checks/checks.ts'

const ROUNDS = 6

/** @throws CommandError without a cluster, and when something is told in another order. */
export async function soakCitusMoves(lifetime: Lifetime): Promise<void> {
  const { databaseUrl: cluster } = settings()
  if (cluster === null)
    throw new CommandError('Usage: DATABASE_URL=<superuser at the coordinator> npm run soak -- citus-moves')
  const server = await startCitusCluster(cluster)
  const database = await cloneTemplate(server)
  lifetime.onEnd('database', database.drop)
  await switchPool(database.urls.both)
  lifetime.onEnd('connections', () => endPool())
  const superuser = databaseUrl(cluster, new URL(database.url).pathname.slice(1))
  await withConnection(superuser, moveAndChange)
}

async function moveAndChange(client: Connection): Promise<void> {
  const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows
  const owner = await seedOrganization(query)
  const { organizationId } = owner
  const connectionId = await seedConnection(query, owner)
  const who = { organizationId, actor: personOf(owner.userId) }
  const told: { amount: string; level: string; node: string; moment: string }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const node = round === 0 ? await findNode(client, organizationId) : await moveOn(client, organizationId)
    const amount = `${100 + round}.00`
    const level = CHECK_LEVELS[round % CHECK_LEVELS.length] as (typeof CHECK_LEVELS)[number]
    const line = makeLine({ id: 'L', totalAmount: decimal(amount), raw: JSON.stringify({ total_amount: amount }) })
    await seedLines(organizationId, connectionId, [line])
    await setCheck(who, 'line_total', { level, tolerance: {} })
    const [row] = await query<{ moment: string }>(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment`,
    )
    told.push({ amount, level, node, moment: row?.moment ?? '' })
    say(`  ${node}: ${amount}, ${level}`)
  }
  const last = told.at(-1)
  const [history, rules] = await withTenantSql(organizationId, async (sql) => [
    await listLineHistory(sql, organizationId, connectionId, 'L'),
    await readRules(sql, organizationId),
  ])
  const changes = history.map(({ before, after }) => `${before.amount} to ${after.amount}`)
  expectSame(
    'the history',
    changes,
    told
      .slice(1)
      .map(({ amount }, at) => `${told[at]?.amount} to ${amount}`)
      .reverse(),
  )
  const scope = { ...DEFAULT_LINE_QUERY, from: null, to: null }
  for (const { amount, moment } of told) {
    const asked = { scope, from: moment, to: null, part: null, currency: null, page: 1 }
    const { bridges } = await readMoments(organizationId, asked)
    expectSame(`the bridge since ${moment}`, [bridges[0]?.start.amount, bridges[0]?.end.amount], [amount, last?.amount])
  }
  expectSame('the setting', [rules.ofConnection(connectionId).checks.line_total?.level], [last?.level])
  const nodes = new Set(told.map(({ node }) => node)).size
  if (nodes < 2) throw new CommandError('The organization stood on one node all the time: nothing was tried.')
  say(JSON.stringify({ soak: 'citus-moves', changes: changes.length, moves: ROUNDS - 1, nodes }))
}

function expectSame(what: string, told: readonly unknown[], right: readonly unknown[]): void {
  if (JSON.stringify(told) !== JSON.stringify(right))
    throw new CommandError(`Of ${what}: ${JSON.stringify(told)} in place of ${JSON.stringify(right)}.`)
}

type Shard = { id: string; name: string; port: number }

async function findShard(client: Connection, organizationId: OrganizationId): Promise<Shard> {
  const { rows } = await client.query<Shard>(
    `select shardid::text as id, nodename as name, nodeport as port from citus_shards
     where table_name = 'line'::regclass and shardid = get_shard_id_for_distribution_column('line', $1::uuid)`,
    [organizationId],
  )
  const [shard] = rows
  if (shard === undefined) throw new CommandError('The cluster has no shard of this organization.')
  return shard
}

async function findNode(client: Connection, organizationId: OrganizationId): Promise<string> {
  const { name, port } = await findShard(client, organizationId)
  return `${name}:${port}`
}

/** To the next node that keeps lines. */
async function moveOn(client: Connection, organizationId: OrganizationId): Promise<string> {
  const shard = await findShard(client, organizationId)
  const { rows: nodes } = await client.query<{ name: string; port: number }>(
    `select nodename as name, nodeport as port from pg_dist_node where shouldhaveshards and isactive order by groupid`,
  )
  const at = nodes.findIndex(({ name, port }) => name === shard.name && port === shard.port)
  const next = nodes[(at + 1) % nodes.length]
  if (next === undefined) throw new CommandError('The cluster has no node that keeps lines.')
  await client.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode => 'block_writes')`, [
    shard.id,
    shard.name,
    shard.port,
    next.name,
    next.port,
  ])
  return `${next.name}:${next.port}`
}
