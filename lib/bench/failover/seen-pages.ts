/** The pages of syncs that were committed, as somebody beside saw them, and whether all stay. */
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import { withSystemSql } from '#lib/db/tenant.ts'

const LOOK_EVERY_MS = 250
const ASK_AGAIN_MS = 200

/** Each page by its key and the moment of its commit: one that was lost and read again differs. */
export type SeenPages = { moments: number[]; lost: number }

/**
 * Notes until `over` what is committed, and then looks whether all of it is there. Who sees a row
 * of another's may count on it: the server shows it once the standby has it.
 */
export async function watchPages(over: AbortSignal, signal: AbortSignal): Promise<SeenPages> {
  const seen = new Map<string, number>()
  while (!over.aborted) {
    for (const { key, at } of await untilAnswered(() => readPages(Math.max(0, ...tail(seen))), signal))
      seen.set(key, at)
    await delay(LOOK_EVERY_MS, undefined, { signal })
  }
  const there = new Set((await untilAnswered(() => readPages(0), signal)).map(({ key }) => key))
  return { moments: [...seen.values()], lost: [...seen.keys()].filter((key) => !there.has(key)).length }
}

const tail = (seen: Map<string, number>) => [...seen.values()].slice(-1)

/** From ten seconds before `since` on: a moment is that of a transaction's beginning. */
function readPages(since: number): Promise<{ key: string; at: number }[]> {
  return withSystemSql((sql) =>
    sql<{ key: string; at: number }>(
      `select concat_ws(' ', run_id, window_number, list, pass, page_offset, committed_at) as key,
         (extract(epoch from committed_at) * 1000)::float8 as at
       from sync_page where committed_at > to_timestamp($1 / 1000.0) - interval '10 seconds' order by committed_at`,
      [since],
    ),
  )
}

/** Asks again for as long as the database is away. */
export async function untilAnswered<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;)
    try {
      return await ask()
    } catch (thrown) {
      if (!isDatabaseTrouble(thrown)) throw thrown
      await delay(ASK_AGAIN_MS, undefined, { signal })
    }
}
