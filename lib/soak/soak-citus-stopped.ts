/**
 * `npm run soak -- citus-stopped`: `npm run migrate -- --citus` is killed again and again on a
 * database with rows: while keys and triggers go, while tables get their places, while each kind
 * comes back. The last one ends by itself; then every foreign key and trigger stands as before, all
 * rows are there once, and none stayed behind at the coordinator. Functions and triggers are then
 * brought up, after which kept figures are right of what is written; a change of tables is refused
 * before anything of it is done. DATABASE_URL is the superuser's at the coordinator of a cluster to
 * try things on.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { TAKEN_APART } from '#lib/db/cluster/taken-apart.ts'
import { EMBEDDED_ROLES } from '#lib/db/embedded-postgres.ts'
import { type Connection, withConnection } from '#lib/db/one-connection.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { OF_CLUSTER } from '#lib/db/programs.ts'
import { createClusterDatabase } from '#lib/db/test-support/test-citus-cluster.ts'
import { databaseUrl } from '#lib/db/test-support/test-cluster.ts'
import { settings, toChildEnvironment } from '#lib/env.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { compareFigures } from '#lib/ledger/kept/compare-figures.ts'
import { seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { makeSentLines } from '#lib/ledger/test-support/seed-varied-lines.ts'

const DATABASE = 'tieout_test_stopped'
const LOOK_MS = 15
const LINES = 300

/** How far a move is. */
type Stand = { keys: number; triggers: number; placed: number; copies: number }

/** When each is killed: in the order in which a move goes. */
const KILLS: [when: string, is: (now: Stand, before: Stand) => boolean][] = [
  ['some keys are away', (now, before) => now.keys < before.keys - 20],
  ['some triggers are away', (now, before) => now.triggers < before.triggers - 20],
  ['the first table has its place', ({ placed }) => placed >= 1],
  ['thirty have', ({ placed }) => placed >= 30],
  ['all but a few have', ({ placed }) => placed >= 75],
  ['some copies are gone', ({ copies }, before) => before.copies > 20 && copies < before.copies - 20],
  ['some keys are back', ({ keys, copies }) => copies === 0 && keys > 20],
  ['some triggers are back', ({ triggers, keys, copies }) => copies === 0 && keys > 20 && triggers > 20],
]

/** @throws CommandError without a cluster, and when anything is lost or left */
export async function soakCitusStopped(lifetime: Lifetime): Promise<void> {
  const { databaseUrl: cluster } = settings()
  if (cluster === null)
    throw new CommandError('Usage: DATABASE_URL=<superuser at the coordinator> npm run soak -- citus-stopped')
  const { owner, both, outside } = await createClusterDatabase(cluster, DATABASE)
  lifetime.onEnd('database', async () => {
    for (const url of outside)
      await withConnection(url, (client) => client.query(`drop database if exists ${DATABASE} with (force)`))
  })
  await prepareSchema(owner, EMBEDDED_ROLES)
  await withConnection(databaseUrl(cluster, DATABASE), async (client) => {
    const account = await seedAccount(client)
    await store(both, account, 1)
    const before = await readAll(client)
    const whole = await readStand(client)
    let kills = 0
    for (const [when, is] of KILLS) {
      if (!(await moveUntil(lifetime, client, { owner, whole, is }))) break
      kills += 1
      say(`  killed when ${when}: ${JSON.stringify(await readStand(client))}`)
    }
    if (kills < KILLS.length) throw new CommandError(`Only ${kills} of ${KILLS.length} moves were killed.`)
    const runToItsEnd = async () => {
      if (await moveUntil(lifetime, client, { owner, whole, is: () => false })) throw new CommandError('It was killed.')
      expectAll(before, await readAll(client))
    }
    await runToItsEnd()
    const left = await listCopies(client)
    if (left.length > 0) throw new CommandError(`Rows stayed behind at the coordinator: ${left.join(', ')}.`)
    await makeEarlier(client)
    await runToItsEnd()
    await store(both, account, 2)
    await refuseTables(lifetime, client, owner)
    say(JSON.stringify({ soak: 'citus-stopped', kills, keys: before.keys.length, triggers: before.triggers.length }))
  })
}

type Account = { organizationId: OrganizationId; connectionId: ConnectionId }

async function seedAccount(client: Connection): Promise<Account> {
  const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows
  const owner = await seedOrganization(query)
  return { organizationId: owner.organizationId, connectionId: await seedConnection(query, owner) }
}

/** Lines as a sync brings them; the second time they have other amounts. */
async function store(url: string, { organizationId, connectionId }: Account, seed: number): Promise<void> {
  await switchPool(url)
  try {
    await seedLines(organizationId, connectionId, makeSentLines(LINES, seed))
    const wrong = await compareFigures(organizationId, connectionId)
    if (wrong.length > 0) throw new CommandError(`Figures are wrong: ${JSON.stringify(wrong.slice(0, 3))}.`)
  } finally {
    await endPool()
  }
}

/** As an earlier version has it: one trigger less, and functions that this one does not know. */
async function makeEarlier(client: Connection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'line'::regclass and tgname like '%\\_roll_up_added'`,
  )
  await client.query(`drop trigger ${rows[0]?.name} on line`)
  await client.query(`comment on table _prisma_migrations is ''`)
}

/** As if this version had a change of tables that the database lacks. */
async function refuseTables(lifetime: Lifetime, client: Connection, owner: string): Promise<void> {
  const before = await readAll(client)
  const { rows } = await client.query<{ row: object }>(
    `delete from _prisma_migrations m where migration_name = (select max(migration_name) from _prisma_migrations) returning to_json(m) as row`,
  )
  const code = await once(startMove(lifetime, owner), 'exit').then(([exit]) => exit as number)
  await client.query(
    'insert into _prisma_migrations select * from json_populate_record(null::_prisma_migrations, $1)',
    [JSON.stringify(rows[0]?.row)],
  )
  if (code === 0) throw new CommandError('A change of tables was not refused.')
  expectAll(before, await readAll(client))
}

/** Whether it was killed; false when it ended by itself before. */
async function moveUntil(
  lifetime: Lifetime,
  client: Connection,
  { owner, whole, is }: { owner: string; whole: Stand; is: (now: Stand, before: Stand) => boolean },
): Promise<boolean> {
  const child = startMove(lifetime, owner)
  const ended = once(child, 'exit')
  const first = await readStand(client)
  // copies are counted once they are told
  for (let before = { ...whole, copies: first.copies }; child.exitCode === null; await delay(LOOK_MS)) {
    const now = await readStand(client)
    before = { ...before, copies: Math.max(before.copies, now.copies) }
    if (is(now, before)) return kill(child, ended)
  }
  if (child.exitCode !== 0) throw new CommandError(`A move failed with ${child.exitCode}.`)
  return false
}

function startMove({ signal }: Lifetime, owner: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', 'migrate', '--citus'], {
    cwd: projectRoot,
    env: toChildEnvironment({ DATABASE_URL: owner, DATABASE_OWNER_URL: owner }),
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  })
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

/** Without those of shards, which `pg_class` does not tell of. */
const KEYS = `from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid in (select oid from pg_class)`

async function readStand(client: Connection): Promise<Stand> {
  const { rows } = await client.query<Stand & { isMoving: boolean }>(
    `select (select count(*)::int ${KEYS}) as keys,
            (select count(*)::int from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where not t.tgisinternal and c.relnamespace = 'public'::regnamespace) as triggers,
            (select count(*)::int from pg_dist_partition) as placed, to_regclass($1) is not null as "isMoving"`,
    [TAKEN_APART],
  )
  const [stand] = rows
  if (stand === undefined) throw new CommandError('The database does not say how far the move is.')
  const { isMoving, ...counts } = stand
  if (!isMoving) return { ...counts, copies: 0 }
  const { rowCount } = await client
    .query(`select from ${TAKEN_APART} where kind = 'copy'`)
    // it is gone with the end of the move
    .catch(() => ({ rowCount: 0 }))
  return { ...counts, copies: rowCount ?? 0 }
}

/** Keys, triggers and rows, as texts in an order. */
async function readAll(client: Connection): Promise<Record<'keys' | 'triggers' | 'rows', string[]>> {
  const list = async (text: string) => (await client.query<{ each: string }>(text)).rows.map(({ each }) => each)
  const tables = await list(
    `select relname as each from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const rows: string[] = []
  for (const table of tables) {
    const [count] = await list(`select count(*)::text as each from ${table}`)
    rows.push(`${table}: ${count}`)
  }
  return {
    keys: await list(
      `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as each ${KEYS} order by 1`,
    ),
    triggers: await list(
      `select pg_get_triggerdef(t.oid) as each from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and t.tgname <> '${OF_CLUSTER}' and c.relnamespace = 'public'::regnamespace order by 1`,
    ),
    rows,
  }
}

/** Tables with a place whose own file at the coordinator has anything in it. */
async function listCopies(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition p join citus_tables t on t.table_name = p.logicalrelid
     where t.citus_table_type = 'distributed' and pg_relation_size(logicalrelid) > 0 order by 1`,
  )
  return rows.map(({ name }) => name)
}

type All = Awaited<ReturnType<typeof readAll>>

function expectAll(before: All, after: All): void {
  for (const what of Object.keys(before) as (keyof All)[])
    if (JSON.stringify(before[what]) !== JSON.stringify(after[what]))
      throw new CommandError(`Other ${what} than before: ${listOther(before[what], after[what])}.`)
}

function listOther(before: string[], after: string[]): string {
  const [lost, added] = [before.filter((each) => !after.includes(each)), after.filter((each) => !before.includes(each))]
  return [...lost.map((each) => `- ${each}`), ...added.map((each) => `+ ${each}`)].join('; ')
}
