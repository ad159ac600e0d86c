/** What stands of a scope: who prepared and approved it, and whether it is locked. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Signature } from '#lib/reconcile/close/close-state.ts'
import { firstDayOf } from '#lib/reconcile/close/scope.ts'
import type { Scope } from './read-seal.ts'

/** What somebody accepts undecided, with why; `by`: their name. */
export type Residual = { currency: string; amount: string; reason: string; note: string | null; by: string }

type StandingSignature = Signature & { seal: string; residuals: Residual[] }
export type Standing = { prepared: StandingSignature | null; approved: StandingSignature | null; lock: string | null }

/** The columns of a scope, in the order of `$2` to `$5`. */
const SCOPE_KEY = `scope_kind = $2 and connection_id = $3 and profile_id is not distinct from $4
  and month is not distinct from $5::date and invoice_serial_number is not distinct from $6`

/** The values of `SCOPE_KEY`, after the organization. */
export function toScopeKey(scope: Scope): (string | null)[] {
  if (scope.kind === 'invoice') return [scope.kind, scope.connectionId, null, null, scope.serialNumber]
  const profile = scope.kind === 'profile_month' ? scope.profileId : null
  return [scope.kind, scope.connectionId, profile, firstDayOf(scope.month), null]
}

export async function readStanding(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<Standing> {
  const rows = await sql<StandingSignature>(
    `select id, step, actor_id as "personId", actor_name as name, to_json(at) as at, encode(seal, 'hex') as seal, residuals
     from sign_off where organization_id = $1 and ${SCOPE_KEY} and ended_at is null`,
    [organizationId, ...toScopeKey(scope)],
  )
  const of = (step: Signature['step']) => rows.find((row) => row.step === step) ?? null
  return { prepared: of('prepared'), approved: of('approved'), lock: await findLock(sql, organizationId, scope) }
}

/** The number of the lock in force of exactly this month. */
async function findLock(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<string | null> {
  if (scope.kind === 'invoice') return null
  const [kind, connection, profile, month] = toScopeKey(scope)
  const [row] = await sql<{ number: string }>(
    `select number::text from period_lock where organization_id = $1 and scope_kind = $2 and connection_id = $3
       and profile_id is not distinct from $4 and month = $5::date and reopened_at is null`,
    [organizationId, kind, connection, profile, month],
  )
  return row?.number ?? null
}

/** One more whenever the month was opened again; 1 of an invoice. */
export async function readGeneration(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<number> {
  if (scope.kind === 'invoice') return 1
  const [kind, connection, profile, month] = toScopeKey(scope)
  const [row] = await sql<{ generation: number }>(
    `select 1 + count(*)::int as generation from period_lock where organization_id = $1 and scope_kind = $2 and connection_id = $3
       and profile_id is not distinct from $4 and month = $5::date and reopened_at is not null`,
    [organizationId, kind, connection, profile, month],
  )
  return row?.generation ?? 1
}
