/** What an operator of a cluster does when it grows, in the engine's words. */
import { type Connection, withConnection } from '#lib/db/one-connection.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** `seconds`: to its end; `began` and `ended` are moments in milliseconds. */
export type Move = { what: string; began: number; ended: number; refused: string | null }

type Placement = { shard: string; host: string; port: number }
type Node = { host: string; port: number }

/** Any table of the organizations: what stands beside it goes with it. */
const TABLE = 'connection'

/**
 * The shards of these organizations to another node; then the first organization to a shard of its
 * own, and that to another node; then all shards spread anew. A step that is refused says so, and
 * the next one goes on.
 */
export async function moveAll(superuser: string, organizations: readonly OrganizationId[]): Promise<Move[]> {
  const [largest] = organizations as [OrganizationId]
  const moves: Move[] = []
  const step = async (what: string, work: (client: Connection) => Promise<unknown>) => {
    const began = Date.now()
    const refused = await withConnection(superuser, work).then(
      () => null,
      (thrown: Error) => thrown.message,
    )
    moves.push({ what, began, ended: Date.now(), refused })
  }
  const moved = new Set<string>()
  for (const organization of organizations)
    await step('a shard to another node', async (client) => {
      const at = await findPlacement(client, organization)
      if (!moved.has(at.shard)) await moveShard(client, at)
      moved.add(at.shard)
    })
  // by logical replication it never ends: the engine sends rows of a table with computed columns
  // otherwise than it expects them
  await step('the largest organization to a shard of its own, writes waiting', (client) =>
    client.query(`select isolate_tenant_to_new_shard($1, $2::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`, [
      TABLE,
      largest,
    ]),
  )
  await step('that shard to another node', async (client) => moveShard(client, await findPlacement(client, largest)))
  await step('all shards spread anew (citus_rebalance_start)', async (client) => {
    const { rows } = await client.query<{ job: string | null }>(
      `select citus_rebalance_start(rebalance_strategy => 'by_shard_count', shard_transfer_mode => 'auto')::text as job`,
    )
    const job = rows[0]?.job ?? null
    if (job !== null) await client.query('select citus_job_wait($1::bigint)', [job])
  })
  return moves
}

/** Where an organization's rows are, and how many others' shards stand on each node. */
export async function describePlaces(superuser: string, organization: OrganizationId): Promise<string> {
  return withConnection(superuser, async (client) => {
    const { shard, port } = await findPlacement(client, organization)
    const { rows } = await client.query<{ port: number; shards: number }>(
      `select nodeport as port, count(*)::int as shards from citus_shards where table_name = $1::regclass group by 1 order by 1`,
      [TABLE],
    )
    const shards = rows.map((each) => `${each.shards}`).join(' and ')
    const { rows: alone } = await client.query<{ isAlone: boolean }>(
      'select shardminvalue = shardmaxvalue as "isAlone" from pg_dist_shard where shardid = $1',
      [shard],
    )
    const node = rows.findIndex((each) => each.port === port) + 1
    return `${shards} shards; the largest organization's is on node ${node}${alone[0]?.isAlone ? ', alone in it' : ''}`
  })
}

async function findPlacement(client: Connection, organization: OrganizationId): Promise<Placement> {
  const { rows } = await client.query<Placement>(
    `select shardid::text as shard, nodename as host, nodeport as port from citus_shards
     where table_name = $1::regclass and shardid = get_shard_id_for_distribution_column($1, $2::uuid)`,
    [TABLE, organization],
  )
  return rows[0] as Placement
}

async function moveShard(client: Connection, { shard, host, port }: Placement): Promise<void> {
  const { rows } = await client.query<Node>(
    `select nodename as host, nodeport as port from pg_dist_node
     where shouldhaveshards and noderole = 'primary' and (nodename, nodeport) <> ($1, $2) order by 2 limit 1`,
    [host, port],
  )
  const to = rows[0] as Node
  await client.query(`select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, 'auto')`, [
    shard,
    host,
    port,
    to.host,
    to.port,
  ])
}
