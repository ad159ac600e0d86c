import { inject } from 'vitest'
import type { TestDatabase } from './test-database.ts'

/** Whether a statement that names this waits for another transaction's lock, on any node. */
export async function isWaiting({ query }: Pick<TestDatabase, 'query'>, about = ''): Promise<boolean> {
  const isOne = inject('testServer').nodes === undefined
  const waiting = await query(
    isOne
      ? `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like $1`
      : // what waits on a node may be the engine's own statement: what it is for stands at the coordinator
        `select from citus_stat_activity w join citus_stat_activity a using (global_pid)
         where w.datname = current_database() and w.wait_event_type = 'Lock' and a.query like $1`,
    [`%${about}%`],
  )
  return waiting.length > 0
}
