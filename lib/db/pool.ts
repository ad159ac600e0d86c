import pg from 'pg'
import { requireSetting } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { requirePolicies } from './roles.ts'

// Figures and days stay text: a numeric or a date never becomes a JavaScript number or Date on its
// way.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** How many connections a process has at most. */
export const POOL_CONNECTIONS = 10

const holder = globalThis as { tieoutPool?: pg.Pool }

/**
 * The process's one pool of PostgreSQL connections (`DATABASE_URL`). It hands out no connection of
 * a role for which row-level security does not hold. @throws SettingsError when it is not
 * configured.
 */
export function pool(): pg.Pool {
  holder.tieoutPool ??= openPool(requireSetting('databaseUrl'))
  return holder.tieoutPool
}

function openPool(connectionString: string): pg.Pool {
  const opened = new pg.Pool({
    connectionString,
    max: POOL_CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    verify: (client, done) => requirePolicies(client).then(() => done(), done),
  })
  opened.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'))
  return opened
}

/** Points this process at another database; for tests, which have a database of their own each. */
export async function switchPool(databaseUrl: string): Promise<void> {
  await endPool()
  holder.tieoutPool = openPool(databaseUrl)
}

/** Ends the pool; for a clean shutdown. */
export async function endPool(): Promise<void> {
  const open = holder.tieoutPool
  delete holder.tieoutPool
  await open?.end()
}
