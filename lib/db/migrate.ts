import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { applyPrograms, hasPrograms, type Programs } from './programs.ts'

/** The advisory lock of `prisma migrate`: the two tools never run at once. */
const PRISMA_MIGRATE_LOCK = 72707369

const LEDGER = `create table if not exists _prisma_migrations (
  id                  varchar(36) primary key not null,
  checksum            varchar(64) not null,
  finished_at         timestamptz,
  migration_name      varchar(255) not null,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`

/**
 * The migration that holds all tables as they were after `last`, the last of those before it. A
 * database at that one needs nothing but its record; `version` brings an older one there.
 */
const BASELINE = { name: '20261126000000_baseline', last: '20261125250000_taken_back_losses', version: '0.1.0' }

/** What stands in the list of what was applied, and of what is pending, for all of them. */
export const PROGRAMS = 'functions and triggers'

type Migration = { name: string; sql: string; checksum: string }

/**
 * Applies the migration folders of `directory` in order, each in one transaction with its record:
 * one that was broken off is applied by the next call. Keeps Prisma's ledger of migrations, so
 * `prisma migrate status` agrees. Then come the functions and triggers, when they are others than
 * those in the database. Several processes may call it at once: one applies, the others wait
 * and find it done.
 * @returns the names of the migrations applied now, and `PROGRAMS`.
 * @throws Error when a migration failed earlier, was edited after it was applied, the database is
 * newer than the program, or too old for it, or its tables stand on a cluster and would change.
 */
export async function migrate(
  databaseUrl: string,
  directory: string,
  programs: Programs | null = null,
): Promise<string[]> {
  const migrations = readMigrations(directory)
  const client = new pg.Client({ connectionString: databaseUrl })
  // a connection lost during a migration also fails its query
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK])
    await client.query(LEDGER)
    const baseline = await findTakenOver(client, migrations)
    if (baseline !== null) await takeOver(client, baseline)
    const pending = await findPending(client, migrations)
    if (pending.length > 0) await refuseOnCluster(client)
    for (const migration of pending) await apply(client, migration)
    const applied = pending.map(({ name }) => name)
    if (programs === null || (await hasPrograms(client, programs))) return applied
    await applyPrograms(client, programs)
    return [...applied, PROGRAMS]
  } finally {
    await client.end() // ends the session and with it the lock
  }
}

export type SchemaState = {
  /** What `migrate` would apply. */
  pending: string[]
  /** True when the role owns the tables, or may create them in an empty database. */
  isOwner: boolean
}

/**
 * How the database compares to this version. Changes nothing.
 * @throws Error when the role may not even read it, and as `migrate` does for a database it would
 * refuse.
 */
export async function readSchemaState(
  databaseUrl: string,
  directory: string,
  programs: Programs | null = null,
): Promise<SchemaState> {
  const migrations = readMigrations(directory)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ isThere: boolean; isOwner: boolean; mayRead: boolean; role: string }>(
      `select c.oid is not null as "isThere", current_user as role,
              coalesce(pg_has_role(c.relowner, 'usage'), has_schema_privilege('public', 'create')) as "isOwner",
              has_table_privilege(c.oid, 'select') as "mayRead"
       from (select to_regclass('public._prisma_migrations') as oid) wanted left join pg_class c on c.oid = wanted.oid`,
    )
    const { isThere, isOwner, mayRead, role } = rows[0] as (typeof rows)[number]
    if (!isThere) return { pending: migrations.map(({ name }) => name), isOwner }
    if (!mayRead) throw new Error(`the role "${role}" has no rights in it: \`npm run migrate\` gives them`)
    const baseline = await findTakenOver(client, migrations)
    if (baseline !== null) return { pending: [baseline.name], isOwner }
    const pending = (await findPending(client, migrations)).map(({ name }) => name)
    const areOthers = programs !== null && !(await hasPrograms(client, programs))
    return { pending: [...pending, ...(areOthers ? [PROGRAMS] : [])], isOwner }
  } finally {
    await client.end()
  }
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * The baseline, where the database has the tables of it by the migrations before it.
 * @throws Error when it lacks some of those.
 */
async function findTakenOver(client: pg.Client, migrations: Migration[]): Promise<Migration | null> {
  const baseline = migrations.find(({ name }) => name === BASELINE.name)
  if (baseline === undefined) return null
  const { rows } = await client.query<{ name: string; isDone: boolean }>(
    `select migration_name as name, finished_at is not null as "isDone" from _prisma_migrations
     where rolled_back_at is null and migration_name < $1`,
    [BASELINE.name],
  )
  if (rows.length === 0) return null
  if (rows.some(({ name, isDone }) => name === BASELINE.last && isDone) && rows.every(({ isDone }) => isDone))
    return baseline
  throw new Error(
    `The database is of a version before ${BASELINE.version}. Start version ${BASELINE.version} (tag v${BASELINE.version}) ` +
      'once, which brings it up to date, then this one.',
  )
}

/** Nothing of the database changes but the record of how it came to be. */
async function takeOver(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('begin')
  await client.query('delete from _prisma_migrations where migration_name < $1', [name])
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
  await client.query('commit')
}

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  )
  const failed = rows.find((row) => row.finished_at === null)
  if (failed) throw new Error(`Migration ${failed.migration_name} failed earlier; _prisma_migrations.logs says why.`)
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  for (const name of applied.keys())
    if (!migrations.some((migration) => migration.name === name))
      throw new Error(
        `The database has migration ${name}, which this version does not know: it is newer than the program.`,
      )
  for (const { name, checksum } of migrations)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`Migration ${name} was edited after it was applied.`)
  return migrations.filter(({ name }) => !applied.has(name))
}

/** A cluster takes few changes of tables that have their places; then nothing is begun. */
async function refuseOnCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has`,
  )
  if (rows[0]?.has !== true) return
  if ((await client.query('select from pg_catalog.pg_dist_partition limit 1')).rowCount === 0) return
  throw new Error(
    'This version changes tables, and they stand on a cluster, where that is not done: docs/operations.md, "A cluster", ' +
      'says how to go on. Nothing was changed.',
  )
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const record = 'insert into _prisma_migrations (id, checksum, migration_name'
  const values = [randomUUID(), checksum, name]
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(`${record}, finished_at, applied_steps_count) values ($1, $2, $3, clock_timestamp(), 1)`, values)
    await client.query('commit')
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const failure = new Error(`Migration ${name} failed: ${text}`, { cause: error })
    // a lost connection says nothing about the migration: then neither is recorded
    await client
      .query('rollback')
      .then(() => client.query(`${record}, logs) values ($1, $2, $3, $4)`, [...values, text]))
      .catch(() => Promise.reject(failure))
    throw failure
  }
}
