/** What the operator has to know or do, kept until it is settled. Never holds a secret. */

import { type Sql, withTenant } from '#lib/db/tenant.ts'
import { type ConnectionId, type OrganizationId, parseConnectionId } from '#lib/ids.ts'

/**
 * - `client_refused`: the platform refuses our client id or secret. Every connection waits, none is
 *   marked
 * - `no_refresh_token`: a renewal came without the new refresh token that the contract promises
 * - `answer_unreadable`: an answer holding tokens could not be read; it is kept, sealed, for a
 *   later version
 * - `token_unreadable`: the keys at hand do not open stored tokens
 */
export type OperatorNoticeKind = 'client_refused' | 'no_refresh_token' | 'answer_unreadable' | 'token_unreadable'

/** Moments are ISO 8601 in UTC. `connectionId` is null for a notice about the whole program. */
export type OperatorNotice = {
  kind: OperatorNoticeKind
  connectionId: ConnectionId | null
  detail: string
  occurrences: number
  firstSeenAt: string
  lastSeenAt: string
}

/** Raises a notice, or counts it once more if it is open. In the caller's transaction. */
export async function raiseNotice(
  sql: Sql,
  organizationId: OrganizationId,
  notice: { kind: OperatorNoticeKind; connectionId: ConnectionId | null; detail: string },
): Promise<void> {
  await sql(
    `insert into operator_notice (organization_id, kind, subject, detail) values ($1, $2, $3, $4)
     on conflict (organization_id, kind, subject) do update set
       detail = excluded.detail, last_seen_at = excluded.last_seen_at, resolved_at = null,
       occurrences = case when operator_notice.resolved_at is null then operator_notice.occurrences + 1 else 1 end,
       first_seen_at = case when operator_notice.resolved_at is null then operator_notice.first_seen_at else excluded.first_seen_at end`,
    [organizationId, notice.kind, notice.connectionId ?? '', notice.detail.slice(0, 500)],
  )
}

/** Tokens were renewed: the platform accepts our client, and these tokens can be read. */
export async function resolveNotices(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<void> {
  await sql(
    `update operator_notice set resolved_at = now()
     where organization_id = $1 and resolved_at is null
       and (kind = 'client_refused' or (kind in ('answer_unreadable', 'token_unreadable') and subject = $2))`,
    [organizationId, connectionId],
  )
}

/** The organization's open notices, newest first. */
export async function listOperatorNotices(organizationId: OrganizationId): Promise<OperatorNotice[]> {
  const rows = await withTenant(organizationId, (records) =>
    records.operatorNotice.findMany({
      where: { organizationId, resolvedAt: null },
      orderBy: { lastSeenAt: 'desc' },
      omit: { organizationId: true, resolvedAt: true },
    }),
  )
  return rows.map(({ kind, subject, firstSeenAt, lastSeenAt, ...notice }) => ({
    ...notice,
    // the table's check constraint knows the same kinds
    kind: kind as OperatorNoticeKind,
    connectionId: parseConnectionId(subject),
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }))
}
