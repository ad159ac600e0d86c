import type { Sql } from './tenant.ts'

/** A table of work to be done, in SQL; its row is `w` in each part. */
export type Work = {
  table: string
  /** The columns of its key. */
  key: string
  /** Which rows may be taken now: due, and held by nobody whose lease still runs. */
  isDue: string
  /** What is taken first. */
  order: string
  /** What holds it: a lease, a fence, a count of attempts, a status. */
  hold: string
  /** What the one who takes it has to know. */
  returning: string
}

/**
 * Takes one row of work, so that no other worker does while it is held: the first in order of those
 * that are due and that no transaction has locked. Null when there is none.
 * Every kind of work is taken by this, but for reading rejected records again, which holds its row
 * for as long as its transaction lasts (lib/sync/reading/reparse-wishes.ts).
 * @throws what the database throws.
 */
export async function claim<Row extends Record<string, unknown>>(
  sql: Sql,
  { table, key, isDue, order, hold, returning }: Work,
  values: unknown[] = [],
): Promise<Row | null> {
  const [row] = await sql<Row>(
    `update ${table} w set ${hold}
     where (${key}) = (select ${key} from ${table} w where ${isDue} order by ${order} limit 1 for update of w skip locked)
     returning ${returning}`,
    values,
  )
  return row ?? null
}
