import { withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import type { ClaimedRun, WindowScope } from '../model.ts'

/** A storm of bad answers says nothing new after this many. */
const MOST_PER_RUN = 50

/**
 * An answer that broke the platform's interface. `beginning`: at most 2 kB, masked. `seenAt` is ISO
 * 8601 in UTC.
 */
export type Evidence = {
  list: string
  offset: number
  seenAt: string
  kind: string
  httpStatus: number | null
  reason: string
  beginning: string | null
}

/**
 * Keeps what a failed call returned (kind, status, reason and the masked beginning of the body), to
 * show it later. Failing to keep it never stops the run.
 */
export async function keepEvidence(
  run: ClaimedRun,
  scope: WindowScope,
  offset: number,
  thrown: unknown,
): Promise<void> {
  // an expired access token is not misbehavior
  if (!(thrown instanceof PartnerError) || thrown.kind === 'unauthorized') return
  try {
    await withTenantSql(run.organizationId, (sql) =>
      sql(
        `insert into sync_evidence (organization_id, connection_id, run_id, list, page_offset, kind, http_status, reason, beginning)
         select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9
         where (select count(*) from sync_evidence where organization_id = $1 and run_id = $3) < ${MOST_PER_RUN}
         returning 1`,
        [
          run.organizationId,
          run.connectionId,
          run.id,
          scope.list,
          offset,
          thrown.kind,
          thrown.status ?? null,
          thrown.message.slice(0, 500),
          thrown.evidence ?? null,
        ],
      ),
    )
  } catch (failure) {
    log.warn({ run: run.id, reason: failure instanceof Error ? failure.message : String(failure) }, 'evidence not kept')
  }
}

/** The connection's bad answers, newest first; at most `maxRows`. */
export async function listEvidence(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  maxRows = 50,
): Promise<Evidence[]> {
  const rows = await withTenant(organizationId, (records) =>
    records.syncEvidence.findMany({
      where: { organizationId, connectionId },
      orderBy: { seenAt: 'desc' },
      take: maxRows,
      select: {
        list: true,
        pageOffset: true,
        seenAt: true,
        kind: true,
        httpStatus: true,
        reason: true,
        beginning: true,
      },
    }),
  )
  return rows.map(({ pageOffset, seenAt, ...row }) => ({ ...row, offset: pageOffset, seenAt: seenAt.toISOString() }))
}
