/** The reasons that an organization keeps for decisions (docs/decisions/061-own-reasons.md). */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import {
  changeReasons,
  type Reason,
  type ReasonChange,
  type ReasonRefusal,
  withBuiltIn,
} from '#lib/reconcile/review/reasons.ts'

/** `revision` names this list: 0 at first, one more with each change. */
export type ReasonList = { revision: number; reasons: Reason[] }

/** The list as it is. */
export function getReasonList(organizationId: OrganizationId): Promise<ReasonList> {
  return withTenantSnapshot(organizationId, (sql) => readReasonList(sql, organizationId))
}

/** The same in the caller's transaction. */
export async function readReasonList(sql: Sql, organizationId: OrganizationId): Promise<ReasonList> {
  const [stored] = await sql<ReasonList>('select revision, reasons from reason_list where organization_id = $1', [
    organizationId,
  ])
  return { revision: stored?.revision ?? 0, reasons: withBuiltIn(stored?.reasons ?? []) }
}

/** `changed`: somebody has changed the list since it was seen, and nothing was done. */
type ChangedReasons = { kind: 'done'; revision: number } | { kind: 'changed' | ReasonRefusal }

const AUDITED = {
  add: 'review.reason-added',
  rename: 'review.reason-renamed',
  retire: 'review.reason-retired',
  restore: 'review.reason-restored',
  up: 'review.reason-moved',
  down: 'review.reason-moved',
} as const satisfies Record<ReasonChange['change'], string>

/**
 * Makes one change of exactly the list that was seen, with its audit entry. Of two people at once
 * the second is told that it is another list by now.
 */
export function changeReasonList(
  organizationId: OrganizationId,
  actor: Actor,
  seenRevision: number,
  asked: ReasonChange,
): Promise<ChangedReasons> {
  return withTenantSql(organizationId, async (sql) => {
    const { revision, reasons } = await readReasonList(sql, organizationId)
    if (revision !== seenRevision) return { kind: 'changed' }
    const changed = changeReasons(reasons, asked)
    if (typeof changed === 'string') return { kind: changed }
    if (JSON.stringify(changed.reasons) === JSON.stringify(reasons)) return { kind: 'done', revision }
    const [stored] = await sql<{ revision: number }>(
      `insert into reason_list as r (organization_id, revision, reasons) values ($1, 1, $3::jsonb)
       on conflict (organization_id) do update set revision = r.revision + 1, reasons = excluded.reasons where r.revision = $2
       returning revision`,
      [organizationId, seenRevision, JSON.stringify(changed.reasons)],
    )
    // who came second waited for the row, and finds another revision
    if (stored?.revision !== seenRevision + 1) return { kind: 'changed' }
    const before = reasons.find(({ kind, code }) => kind === changed.reason.kind && code === changed.reason.code)
    await recordAudit(sql, organizationId, {
      actor,
      action: AUDITED[asked.change],
      subject: { kind: 'reason', id: changed.reason.code, name: changed.reason.words },
      before: asked.change === 'rename' ? { words: before?.words } : {},
      after: {
        of: asked.kind,
        ...(asked.change === 'rename' && { words: asked.words }),
        ...((asked.change === 'up' || asked.change === 'down') && {
          order: changed.reasons.flatMap(({ kind, code }) => (kind === asked.kind ? [code] : [])),
        }),
      },
    })
    return { kind: 'done', revision: stored.revision }
  })
}
