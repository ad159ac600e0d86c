/** Locks approved months, opens them again, and lets single people decide in them meanwhile. */
import { userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type PeriodScope, writeScope } from '#lib/reconcile/close/scope.ts'
import { holdAccount, type Refused, type Signer, toRefused } from './sign-off.ts'
import { readStanding, toScopeKey } from './standing.ts'

type Locked = { kind: 'locked'; number: string; at: string } | Refused

/** Locks a month that is approved: from then on nobody decides or signs in it. Syncs go on. */
export async function lockPeriod(
  organizationId: OrganizationId,
  { actor, name }: Signer,
  scope: PeriodScope<ConnectionId>,
): Promise<Locked> {
  try {
    return await withTenantSql(organizationId, async (sql): Promise<Locked> => {
      await holdAccount(sql, organizationId, scope.connectionId)
      const { approved, lock } = await readStanding(sql, organizationId, scope)
      if (lock !== null) return { kind: 'refused', code: 'already' }
      if (approved === null) return { kind: 'refused', code: 'no-step-before' }
      const [kind, connection, profile, month] = toScopeKey(scope)
      const [row] = await sql<{ number: string; at: Date }>(
        `insert into period_lock (organization_id, scope_kind, connection_id, profile_id, month, generation, sign_off_id, actor_kind,
           actor_id, actor_name)
         select organization_id, $2, $3, $4, $5::date, generation, id, $7, $8, $9 from sign_off where organization_id = $1 and id = $6
         returning number::text, at`,
        [organizationId, kind, connection, profile, month, approved.id, actor.kind, userIdOf(actor), name],
      )
      const { number, at } = row as NonNullable<typeof row>
      await recordAudit(sql, organizationId, {
        actor,
        action: 'close.locked',
        subject: { kind: 'lock', id: number, name: writeScope(scope) },
        after: { seal: approved.seal },
      })
      return { kind: 'locked', number, at: at.toISOString() }
    })
  } catch (error) {
    return toRefused(error)
  }
}

/**
 * Opens a locked month again: what was signed of it stays as the generation before, its exceptions
 * end, and it is signed anew.
 */
export function reopenPeriod(
  organizationId: OrganizationId,
  { actor, name }: Signer,
  number: string,
  reason: string,
): Promise<{ kind: 'reopened'; at: string } | Refused> {
  return withTenantSql(organizationId, async (sql) => {
    await sql(
      `select from connection_tally t where t.organization_id = $1 and t.connection_id = (
         select connection_id from period_lock where organization_id = $1 and number = $2::bigint) for update`,
      [organizationId, number],
    )
    const [row] = await sql<{ at: Date }>(
      `update period_lock set reopened_at = statement_timestamp(), reopened_by = $3, reopened_by_name = $4, reopen_reason = $5
       where organization_id = $1 and number = $2::bigint and reopened_at is null returning reopened_at as at`,
      [organizationId, number, userIdOf(actor), name, reason],
    )
    if (row === undefined) return { kind: 'refused', code: 'gone' }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'close.reopened',
      subject: { kind: 'lock', id: number },
      after: { reason },
    })
    return { kind: 'reopened', at: row.at.toISOString() }
  })
}

/** `until`: ISO 8601, a moment to come, at most 31 days ahead. */
export type ExceptionWish = { lock: string; personId: string; until: string; reason: string }

/** Lets one person decide and sign in a locked month until a moment. */
export function grantException(
  organizationId: OrganizationId,
  { actor, name }: Signer,
  { lock, personId, until, reason }: ExceptionWish,
): Promise<{ kind: 'granted'; id: string } | Refused> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ id: string; person: string }>(
      `insert into lock_exception (organization_id, lock_number, person_id, person_name, until, reason, granted_by, granted_by_name)
       select k.organization_id, k.number, u.id, u.name, $4, $5, $6, $7
       from period_lock k join app_user u on u.organization_id = k.organization_id and u.id = $3
         and u.removed_at is null and u.disabled_at is null
       where k.organization_id = $1 and k.number = $2::bigint and k.reopened_at is null
         and $4::timestamptz > statement_timestamp() and $4::timestamptz < statement_timestamp() + interval '31 days'
       returning id, person_name as person`,
      [organizationId, lock, personId, until, reason, userIdOf(actor), name],
    )
    if (row === undefined) return { kind: 'refused', code: 'gone' }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'close.exception-granted',
      subject: { kind: 'lock', id: lock },
      after: { exception: row.id, person: row.person, until, reason },
    })
    return { kind: 'granted', id: row.id }
  })
}

/** Ends an exception before its time. */
export function endException(
  organizationId: OrganizationId,
  { actor }: Signer,
  id: string,
): Promise<{ kind: 'ended' } | Refused> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ lock: string; person: string }>(
      `update lock_exception set ended_at = statement_timestamp() where organization_id = $1 and id = $2 and ended_at is null
       returning lock_number::text as lock, person_name as person`,
      [organizationId, id],
    )
    if (row === undefined) return { kind: 'refused', code: 'gone' }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'close.exception-ended',
      subject: { kind: 'lock', id: row.lock },
      after: { exception: id, person: row.person },
    })
    return { kind: 'ended' }
  })
}
