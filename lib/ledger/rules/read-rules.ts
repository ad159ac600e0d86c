import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { CheckCode, CheckSetting, CheckSettings } from '#lib/reconcile/checks/checks.ts'
import { type Habits, type Issuer, type LineRules, toIssuerKey } from '#lib/reconcile/checks/judge.ts'
import type { FindingCode } from '#lib/reconcile/line-proof.ts'
import type { Convention } from '#lib/reconcile/reason.ts'
import { selectTogether } from '../sql/select-together.ts'

/** A check that an organization (`$1`) has tuned, as it is now. */
export type StoredSetting = CheckSetting & { code: CheckCode }

/** The settings of an organization, newest of each check; for `toCheckSettings`. */
export const SETTINGS = `
  select distinct on (check_code) check_code as code, level, tolerance, changed_by_name as "changedByName", changed_at as "changedAt"
  from check_setting where organization_id = $1::uuid order by check_code, number desc`

/** The decision that counts about each issuer and check, from `habit_decision`. */
export const DECISIONS = `
  select distinct on (connection_id, profile_id, invoice_mode, tax_regime, trim_scale(tax_percentage), finding_code)
    connection_id as "connectionId", profile_id as "profileId", invoice_mode as "invoiceMode", tax_regime as "taxRegime",
    trim_scale(tax_percentage)::text as "taxPercentage", finding_code as code, convention, decision,
    decided_by_name as "decidedByName", decided_at as "decidedAt"
  from habit_decision where organization_id = $1::uuid
  order by connection_id, profile_id, invoice_mode, tax_regime, trim_scale(tax_percentage), finding_code, number desc`

/** An issuer's habit that counts. */
type StoredHabit = Issuer & { connectionId: ConnectionId; code: FindingCode; convention: Convention }

const ACCEPTED = `select * from (${DECISIONS}) newest where decision = 'accepted'`

export function toCheckSettings(stored: readonly StoredSetting[]): CheckSettings {
  return Object.fromEntries(stored.map(({ code, level, tolerance }) => [code, { level, tolerance }]))
}

/** The rules for the lines of each connection that `ofConnection` is asked for. */
export type Rules = { isDefault: boolean; ofConnection: (connectionId: ConnectionId) => LineRules }

/** An organization's rules for its lines, as they are now. */
export async function readRules(sql: Sql, organizationId: OrganizationId): Promise<Rules> {
  const { settings, habits } = await selectTogether<{ settings: StoredSetting[]; habits: StoredHabit[] }>(
    sql,
    { settings: SETTINGS, habits: ACCEPTED },
    [organizationId],
  )
  const checks = toCheckSettings(settings)
  const byConnection = new Map<ConnectionId, Map<string, Habits>>()
  for (const habit of habits) {
    const ofConnection = byConnection.get(habit.connectionId) ?? new Map<string, Habits>()
    byConnection.set(habit.connectionId, ofConnection)
    const key = toIssuerKey(habit)
    ofConnection.set(key, { ...ofConnection.get(key), [habit.code]: habit.convention })
  }
  return {
    isDefault: settings.length === 0 && habits.length === 0,
    ofConnection: (connectionId) => ({ checks, habits: byConnection.get(connectionId) ?? new Map() }),
  }
}

/**
 * Lines are written under rules that do not change meanwhile: who writes lines shares this lock
 * until the end of the transaction, who changes a rule has it alone. The statement after it sees
 * the rules as they are.
 */
export async function holdRules(sql: Sql, organizationId: OrganizationId, how: 'shared' | 'alone'): Promise<void> {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await sql(`select ${lock}(hashtextextended('rules of ' || $1::uuid, 0))`, [organizationId])
}
