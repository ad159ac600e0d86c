import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type FigureDifference, readDifferences } from '../kept/compare-figures.ts'

type Query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>

/**
 * The kept figures that differ from their records, of one account or of all that `query` sees: both
 * sides as of one moment, since a worker may be at work.
 */
export async function listRollupDifferences(query: Query, only?: ConnectionId): Promise<FigureDifference[]> {
  await query('begin isolation level repeatable read')
  try {
    return await listDifferencesNow(query, only)
  } finally {
    await query('commit')
  }
}

/** The same within a transaction of the caller's, to which nobody writes meanwhile. */
export async function listDifferencesNow(query: Query, only?: ConnectionId): Promise<FigureDifference[]> {
  const accounts = await query<{ organizationId: OrganizationId; id: ConnectionId }>(
    'select organization_id as "organizationId", id from connection where $1::uuid is null or id = $1',
    [only],
  )
  const found: FigureDifference[] = []
  for (const { organizationId, id } of accounts) found.push(...(await readDifferences(query, organizationId, id)))
  return found
}
