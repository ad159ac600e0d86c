import type { OrganizationId } from '#lib/ids.ts'
import type { Sql } from '../tenant.ts'

/** A table of work to be done, in SQL; its row is `w` in each part. */
export type Work = {
  table: string
  /** The columns of its key. */
  key: string
  /** Whose work alone, where the caller knows it. */
  of?: OrganizationId
  /** Which rows may be taken now: due, with no lease that still runs. It alone has values. */
  isDue: string
  /** What is taken first. */
  order: string
  /** What holds it: a lease, a fence, a count of attempts, a status. */
  hold: string
  /** What the one who takes it has to know, as it is then held. */
  returning: string
}

/** Rows that others may have locked just now, before there is none to take. */
const MOST_TRIED = 20

/**
 * Takes one row of work, so that no other worker does while it is held: the first in order of those
 * that are due and that no transaction has locked, of the organization whose work has waited
 * longest. Null when there is none. Rows are locked in one organization at a time, which is also
 * what a cluster can do (decision 067).
 * Every kind of work is taken by this, but for reading rejected records again, which holds its row
 * for as long as its transaction lasts (lib/sync/reading/reparse-wishes.ts).
 * @throws what the database throws.
 */
export async function claim<Row extends Record<string, unknown>>(
  sql: Sql,
  work: Work,
  values: unknown[] = [],
): Promise<Row | null> {
  const { table, key, of, isDue, order } = work
  if (!key.startsWith('organization_id')) return take<Row>(sql, work, null, values)
  const organizations = of === undefined ? await listDue(sql, table, isDue, order, values) : [of]
  for (const id of new Set(organizations)) {
    const row = await take<Row>(sql, work, id, values)
    if (row !== null) return row
  }
  return null
}

/** Whose work is due, the oldest first, locked or not. */
async function listDue(sql: Sql, table: string, isDue: string, order: string, values: unknown[]): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `select w.organization_id as id from ${table} w where ${isDue} order by ${order} limit ${MOST_TRIED}`,
    values,
  )
  return rows.map(({ id }) => id)
}

async function take<Row extends Record<string, unknown>>(
  sql: Sql,
  { table, key, isDue, order, hold, returning }: Work,
  of: string | null,
  values: unknown[],
): Promise<Row | null> {
  const isTheirs = of === null ? 'true' : `w.organization_id = $${values.length + 1}`
  const columns = key.split(', ')
  // texts under other names, which sort nothing: a moment of JavaScript has fewer digits
  const [free] = await sql<Record<string, string>>(
    `select ${columns.map((column) => `w.${column}::text as free_${column}`).join(', ')} from ${table} w
     where ${isTheirs} and ${isDue} order by ${order} limit 1 for update of w skip locked`,
    of === null ? values : [...values, of],
  )
  if (free === undefined) return null
  const isTaken = columns.map((column, at) => `w.${column} = $${at + 1}`).join(' and ')
  const taken = columns.map((column) => free[`free_${column}`])
  await sql(`update ${table} w set ${hold} where ${isTaken}`, taken)
  // by itself: what a write gives back may ask no clock and no other table of a cluster
  const [row] = await sql<Row>(`select ${returning} from ${table} w where ${isTaken}`, taken)
  return row ?? null
}
