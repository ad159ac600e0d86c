import type { Sql } from '../tenant.ts'

/** What waiting workers listen to (lib/worker/wake-listener.ts). */
export const WAKE_CHANNEL = 'tieout_wake'

/**
 * Wakes waiting workers when the caller's transaction has been committed: what it asks for is there
 * to be seen then. A statement of its own, since a cluster lets no write call such a function
 * (decision 067).
 */
export async function wakeWorkers(sql: Sql): Promise<void> {
  await sql(`select pg_notify('${WAKE_CHANNEL}', '')`)
}
