import { withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { BadAnswer } from '../model.ts'

/** Older runs say nothing about the platform today. */
const NEWEST_RUNS = 200

type Row = Omit<BadAnswer, 'seenAt'> & { seenAt: Date }

/** The bad answers to the connection's newest runs, newest first. */
export async function listBadAnswers(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  maxRows: number,
): Promise<BadAnswer[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<Row>(
      `select e.id, e.run_id as "runId", e.list, e.page_offset as "offset", e.seen_at as "seenAt", e.kind,
              e.http_status as "httpStatus", e.reason, e.beginning
       from (select id from sync_run where organization_id = $1 and connection_id = $2
             order by requested_at desc limit ${NEWEST_RUNS}) r
       join sync_evidence e on e.organization_id = $1 and e.run_id = r.id
       order by e.seen_at desc, e.id limit $3`,
      [organizationId, connectionId, maxRows],
    ),
  )
  return rows.map((row) => ({ ...row, seenAt: row.seenAt.toISOString() }))
}

/** How many bad answers each of these runs met; runs without one are left out. */
export async function countBadAnswers(
  organizationId: OrganizationId,
  runIds: readonly string[],
): Promise<Map<string, number>> {
  const counts = await withTenant(organizationId, (records) =>
    records.syncEvidence.groupBy({
      by: ['runId'],
      where: { organizationId, runId: { in: [...runIds] } },
      _count: { _all: true },
    }),
  )
  return new Map(counts.map(({ runId, _count }) => [runId, _count._all]))
}
