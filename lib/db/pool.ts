import pg from 'pg'
import { requireSetting } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { requirePolicies } from './roles.ts'

// Figures and days stay text: a numeric or date must never become a JavaScript number or Date.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** The most connections of one process. */
export const POOL_CONNECTIONS = 10

const holder = globalThis as { tieoutPool?: pg.Pool }

/**
 * The process's one pool of PostgreSQL connections (`DATABASE_URL`). Refuses connections of a role
 * that row-level security does not apply to. @throws SettingsError when it is not configured.
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

/** Points this process at another database; for tests, which each have their own. */
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
