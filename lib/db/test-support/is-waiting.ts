import { inject } from 'vitest'
import type { TestDatabase } from './test-database.ts'

/** Whether a statement that names this waits for another transaction's lock, on any node. */
export async function isWaiting({ query }: Pick<TestDatabase, 'query'>, about = ''): Promise<boolean> {
  const activity = inject('testServer').nodes === undefined ? 'pg_stat_activity' : 'citus_stat_activity'
  const waiting = await query(
    `select from ${activity} where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [`%${about}%`],
  )
  return waiting.length > 0
}
