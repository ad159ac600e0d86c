import type { OrganizationId } from '#lib/ids.ts'
import type { Sql } from '../tenant.ts'

/**
 * Does work over many organizations in one at a time, whose rows come first in order: a cluster
 * locks rows of one organization in a statement, and no more (decision 067). Where nothing is due,
 * one statement says so.
 * @param due A SELECT of `id`, the organization of each row that is due, in order; locked or not.
 * @param work Does so many rows of one organization at most, and resolves to how many it did.
 * @returns how many rows were done; at most `limit`. Zero: nothing is due, or others have it.
 */
export async function workByOrganization(
  sql: Sql,
  due: string,
  limit: number,
  work: (organizationId: OrganizationId, limit: number) => Promise<number>,
): Promise<number> {
  const rows = await sql<{ id: OrganizationId }>(`${due} limit ${limit}`)
  let done = 0
  for (const id of new Set(rows.map((row) => row.id))) {
    if (done >= limit) break
    done += await work(id, limit - done)
  }
  return done
}
