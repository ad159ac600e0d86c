/**
 * `npm run soak -- citus-canaries`: two organizations on two nodes of a cluster that runs already,
 * each with a word of its own in every text. Statements of somebody who has the web server's role
 * ask and change without naming an organization, and by naming the other one, at the coordinator
 * and at each node's own parts of the tables: no answer has the other's word, and no row of the
 * other changes. DATABASE_URL is the superuser's at the coordinator of a cluster to try things on.
 */
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { type Connection, withConnection } from '#lib/db/one-connection.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { startCitusCluster } from '#lib/db/test-support/test-citus-cluster.ts'
import { cloneTemplate, databaseUrl } from '#lib/db/test-support/test-cluster.ts'
import { settings } from '#lib/env.ts'
import type { OrganizationId } from '#lib/ids.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'

const LINES = 40
const MOST_TRIED = 30

type Side = { word: string; organizationId: OrganizationId; node: string }

/** What was tried at one place: `own` answers had the own word, `refused` ones were errors. */
type Tried = { statements: number; own: number; refused: number; crossed: string[] }

/** @throws CommandError without a cluster, and when a word or a change crosses. */
export async function soakCitusCanaries(lifetime: Lifetime): Promise<void> {
  const { databaseUrl: cluster } = settings()
  if (cluster === null)
    throw new CommandError('Usage: DATABASE_URL=<superuser at the coordinator> npm run soak -- citus-canaries')
  const server = await startCitusCluster(cluster)
  const database = await cloneTemplate(server)
  lifetime.onEnd('database', database.drop)
  await switchPool(database.urls.both)
  lifetime.onEnd('connections', () => endPool())
  const name = new URL(database.url).pathname.slice(1)
  const superuser = databaseUrl(cluster, name)
  const [ours, theirs] = await withConnection(superuser, seedTwoNodes)
  say(`${ours.word} stands on ${ours.node}, ${theirs.word} on ${theirs.node}`)
  const all: Tried[] = []
  for (const side of [ours, theirs]) {
    const other = side === ours ? theirs : ours
    const before = await withConnection(superuser, (client) => countRows(client, other))
    for (const node of server.nodes ?? []) {
      const url = `${Object.assign(new URL(databaseUrl(node, name)), { username: new URL(server.roles.web).username })}`
      const parts = await withConnection(databaseUrl(node, name), listTables)
      const tried = await withConnection(url, (client) => tryAll(client, parts, { side, other }))
      all.push(tried)
      const { statements, own, refused, crossed } = tried
      say(
        `  as ${side.word} at ${new URL(node).host}: ${statements} statements, ${own} answers with its own word, ${refused} refused, ${crossed.length} crossed`,
      )
      for (const text of crossed) say(`    ${text}`)
    }
    const after = await withConnection(superuser, (client) => countRows(client, other))
    if (after !== before) throw new CommandError(`Rows of ${other.word} changed: ${before}, then ${after}.`)
  }
  const crossed = all.flatMap((each) => each.crossed)
  const seen = all.reduce((sum, { own }) => sum + own, 0)
  say(JSON.stringify({ soak: 'citus-canaries', nodes: [ours.node, theirs.node], seen, crossed: crossed.length }))
  if (crossed.length > 0) throw new CommandError('What one organization says is read by the other.')
  if (seen === 0) throw new CommandError('Nobody reads even what is their own: nothing was tried.')
}

async function seedTwoNodes(client: Connection): Promise<[Side, Side]> {
  const first = await seedSide(client, 'canaryours')
  for (let at = 0; at < MOST_TRIED; at++) {
    const second = await seedSide(client, `canarytheirs${at}`)
    if (second.node !== first.node) return [first, second]
  }
  throw new CommandError(`${MOST_TRIED} organizations stand on one node: the cluster has no second one with shards.`)
}

async function seedSide(client: Connection, word: string): Promise<Side> {
  const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows
  const owner = await seedOrganization(query, word)
  const { organizationId } = owner
  const connectionId = await seedConnection(query, owner, `${word} account`)
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ profileName: word, legalName: word, reference: word }),
  ])
  const texts = { description: word, costCenter: word, vendorName: word, tripName: word, profileName: word }
  await seedLines(
    organizationId,
    connectionId,
    Array.from({ length: LINES }, (_, at) =>
      makeLine({ ...texts, id: `line-${at}`, tripId: `${at % 5}`, labels: [word], raw: JSON.stringify({ word, at }) }),
    ),
  )
  const [place] = await query<{ node: string }>(
    `select nodename || ':' || nodeport as node from citus_shards where table_name = 'line'::regclass
       and shardid = get_shard_id_for_distribution_column('line', $1::uuid)`,
    [organizationId],
  )
  return { word, organizationId, node: place?.node ?? 'nowhere' }
}

/** Tables with an organization, and on a node the parts of them that stand there. */
async function listTables(client: Connection): Promise<string[]> {
  // parts are hidden from those who list tables, but for this setting
  await client.query('set citus.override_table_visibility = off')
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'organization_id' order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function countRows(client: Connection, { organizationId }: Side): Promise<string> {
  const { rows } = await client.query<{ rows: string }>(
    `select count(*) || ' ' || md5(string_agg(l::text, '' order by id)) as rows from line l where organization_id = $1`,
    [organizationId],
  )
  return rows[0]?.rows ?? ''
}

type Sides = { side: Side; other: Side }

async function tryAll(client: Connection, tables: readonly string[], { side, other }: Sides): Promise<Tried> {
  const tried: Tried = { statements: 0, own: 0, refused: 0, crossed: [] }
  for (const text of tables.flatMap((table) => listStatements(table, other.organizationId))) {
    tried.statements++
    await client.query(
      `begin; set local tieout.organization_id = '${side.organizationId}'; set local tieout.scope = 'organization'`,
    )
    try {
      const { rows, command, rowCount } = await client.query<Record<string, unknown>>(text)
      const said = JSON.stringify(rows)
      if (said.includes(side.word)) tried.own++
      const isChange = command !== 'SELECT' && (rowCount ?? 0) > 0
      if (said.includes(other.word) || said.includes(other.organizationId) || isChange) tried.crossed.push(text)
    } catch {
      tried.refused++
    }
    await client.query('rollback')
  }
  return tried
}

/** What somebody would write who wants more than is theirs. */
function listStatements(table: string, other: OrganizationId): string[] {
  return [
    `select t::text from ${table} t`,
    `select t::text from ${table} t where organization_id = '${other}'`,
    `select string_agg(t::text, ' ') from ${table} t where organization_id <> current_setting('tieout.organization_id')::uuid`,
    `with all_rows as materialized (select * from ${table}) select a::text from all_rows a`,
    `select t::text from organization o join ${table} t on t.organization_id = o.id`,
    `update ${table} set organization_id = organization_id where organization_id = '${other}'`,
    `delete from ${table} where organization_id = '${other}'`,
  ]
}
