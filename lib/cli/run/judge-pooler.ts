import { openConnection } from '#lib/db/one-connection.ts'
import { type Settings, SettingsError } from '#lib/env.ts'

const PATIENCE_MS = 10_000

/**
 * Makes sure that what a connection pooler forbids has an address of PostgreSQL itself: a worker is
 * woken by LISTEN, a migration holds a lock of its session, and statements are prepared only where
 * no pooler forgets them (`databaseDirectUrl` is null).
 * @throws SettingsError with one sentence; the driver's error when nobody answers.
 */
export async function judgePooler({ databaseUrl, databaseDirectUrl, databaseOwnerUrl }: Settings): Promise<void> {
  if (databaseDirectUrl !== null && (await isPooled(databaseDirectUrl)))
    throw new SettingsError([`DATABASE_DIRECT_URL: leads through a connection pooler; ${ITSELF}`])
  if (databaseOwnerUrl !== null && (await isPooled(databaseOwnerUrl)))
    throw new SettingsError([`DATABASE_OWNER_URL: leads through a connection pooler; ${ITSELF}`])
  if (databaseUrl === null || databaseDirectUrl !== null || !(await isPooled(databaseUrl))) return
  throw new SettingsError([
    `DATABASE_DIRECT_URL: is missing, while DATABASE_URL leads through a connection pooler; ${ITSELF.slice(0, -1)} there (docs/operations.md, "Behind a connection pooler").`,
  ])
}

const ITSELF = 'name the host and port of PostgreSQL itself.'

/**
 * Whether a connection pooler (pgbouncer and its like) answers at this address, and not PostgreSQL
 * itself: the process that the protocol names at the beginning is then none of the server's.
 * @throws the driver's error when nobody answers.
 */
async function isPooled(databaseUrl: string): Promise<boolean> {
  const client = await openConnection(databaseUrl, { patienceMs: PATIENCE_MS })
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid !== (client as typeof client & { processID: number }).processID
  } finally {
    await client.end()
  }
}
