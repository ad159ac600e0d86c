import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PROCESSES } from '#lib/db/access.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { type Connection, openConnection } from '#lib/db/one-connection.ts'
import { requireRole } from '#lib/db/roles.ts'
import { readFarOff } from '#lib/db/server-settings.ts'
import type { Settings } from '#lib/env.ts'
import type { Lifetime } from '../run/lifetime.ts'
import { inspectSchema } from '../run/schema.ts'
import { type Finding, ok, problem, toWords, warning } from './finding.ts'

/** The oldest server that the migrations are tried with. */
const OLDEST_VERSION = 15
const MAX_SKEW_MS = 5_000
/** A queued sync starts within seconds of a worker's look. */
const LONG_WAIT_SECONDS = 600
const PATIENCE_MS = 5_000

/**
 * The database's address for looking: the configured one, or the embedded server's if it was ever
 * made (it is started for the look, and left as it was). Null when there is none yet.
 */
export async function findDatabase(settings: Settings, lifetime: Lifetime): Promise<string | null> {
  if (settings.databaseUrl !== null) return settings.databaseUrl
  const folder = join(settings.dataDir, 'postgres')
  const isMade = await stat(join(folder, 'server.json')).catch(() => null)
  if (isMade === null) return null
  const server = await startEmbeddedPostgres(folder, 'tieout')
  lifetime.onEnd('PostgreSQL', server.leave)
  return server.urls.worker
}

/** Looks at server, schema, role, clock and what waits. Changes nothing. */
export async function lookAtDatabase(url: string): Promise<Finding[]> {
  let client: Connection
  try {
    client = await openConnection(url, { patienceMs: PATIENCE_MS })
  } catch (thrown) {
    return [problem('Database', `does not answer: ${toWords(thrown)}`, 'Check DATABASE_URL, and that the server runs.')]
  }
  try {
    const server = [await lookAtVersion(client), await lookAtClock(client)]
    const schema = await lookAtSchema(url)
    if (schema.level === 'problem') return [...server, schema]
    const advice = (await readFarOff(url)).map((text) =>
      warning('Database settings', text, 'See docs/operations.md, "PostgreSQL’s settings".'),
    )
    return [...server, schema, await lookAtRole(url), ...advice, ...(await lookAtWork(client))]
  } finally {
    await client.end()
  }
}

async function lookAtVersion(client: Connection): Promise<Finding> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as number`,
  )
  const { version = '', number = 0 } = rows[0] ?? {}
  return number < OLDEST_VERSION
    ? problem('Database', `is PostgreSQL ${version}`, `Tieout is tried with ${OLDEST_VERSION} and later.`)
    : ok('Database', `answers: PostgreSQL ${version}`)
}

async function lookAtClock(client: Connection): Promise<Finding> {
  const begin = Date.now()
  const { rows } = await client.query<{ now: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
  )
  const end = Date.now()
  return describeSkew('the database’s clock', rows[0]?.now ?? 0, { begin, end, allowed: MAX_SKEW_MS })
}

/**
 * How far another clock is from ours, when its reading came between two of ours. What the journey
 * may explain is not held against it.
 */
export function describeSkew(
  whose: string,
  theirs: number,
  { begin, end, allowed }: { begin: number; end: number; allowed: number },
): Finding {
  const off = theirs < begin ? theirs - begin : Math.max(0, theirs - end)
  const seconds = Math.round(Math.abs(off) / 1000)
  return Math.abs(off) <= allowed
    ? ok('Clock', `agrees with ${whose}`)
    : problem(
        'Clock',
        `${whose} is ${seconds} s ${off < 0 ? 'behind' : 'ahead of'} this machine’s`,
        'Let both follow NTP.',
      )
}

async function lookAtSchema(url: string): Promise<Finding> {
  try {
    const { pending } = await inspectSchema(url)
    if (pending.length === 0) return ok('Schema', 'is this version’s')
    return problem('Schema', `lacks ${pending.length} migrations, from ${pending[0]} on`, 'Run `npm run migrate`.')
  } catch (thrown) {
    return problem('Schema', toWords(thrown), 'See docs/operations.md, "Stop and upgrade".')
  }
}

/** Whose rights the role has, and that row-level security holds for it. */
async function lookAtRole(url: string): Promise<Finding> {
  const able: string[] = []
  let lacking = ''
  for (const process of PROCESSES)
    try {
      const role = await requireRole(url, [process])
      if (role.isOwner)
        return warning(
          'Database role',
          `"${role.name}" owns the tables, and could lift their protection`,
          'See docs/operations.md, "Web server and worker apart".',
        )
      able.push(process)
    } catch (thrown) {
      lacking = toWords(thrown)
    }
  return able.length === 0
    ? problem('Database role', lacking)
    : ok('Database role', `owns nothing and has the rights of the ${able.join(' and the ')}`)
}

/** What has waited so long that somebody has to look. */
async function lookAtWork(client: Connection): Promise<Finding[]> {
  await client.query(`begin read only; set local tieout.scope = 'system'`)
  const { rows } = await client.query<{ waits: number | null; notices: string[] }>(
    `select (select extract(epoch from clock_timestamp() - min(requested_at))::float8 from sync_run where status = 'queued') as waits,
            (select coalesce(array_agg(distinct kind), '{}') from operator_notice where resolved_at is null) as notices`,
  )
  const { waits = null, notices = [] } = rows[0] ?? {}
  return [
    waits !== null && waits > LONG_WAIT_SECONDS
      ? problem('Worker', `a sync has waited for ${Math.round(waits / 60)} minutes`, 'Start a worker, or read its log.')
      : ok('Worker', 'no sync waits for long'),
    ...notices.map((kind) =>
      warning('Notice', kind.replaceAll('_', ' '), 'See docs/operations.md, "Notices and warnings".'),
    ),
  ]
}
