/** People change their organization's rules; each change is kept with who made it and when. */
import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type CheckCode, type CheckSetting, DEFAULT_CHECK } from '#lib/reconcile/checks/checks.ts'
import type { Issuer } from '#lib/reconcile/checks/judge.ts'
import type { FindingCode } from '#lib/reconcile/line-proof.ts'
import type { Convention } from '#lib/reconcile/reason.ts'
import { wishJudging } from './judgings.ts'
import { holdRules, SETTINGS, type StoredSetting } from './read-rules.ts'

type Who = { organizationId: OrganizationId; actor: Actor }

/** Sets what becomes of a check. Setting what is set already changes nothing. */
export async function setCheck(who: Who, code: CheckCode, setting: CheckSetting): Promise<void> {
  await changeRules(who, async (sql) => {
    const settings = await sql<StoredSetting>(SETTINGS, [who.organizationId])
    const before = settings.find((each) => each.code === code) ?? DEFAULT_CHECK
    if (toComparable(before) === toComparable(setting)) return false
    await sql(
      `insert into check_setting (organization_id, check_code, level, tolerance, changed_by, changed_by_name)
       select organization_id, $3, $4, $5::jsonb, id, name from app_user where organization_id = $1 and id = $2
       returning 1`,
      [who.organizationId, userIdOf(who.actor), code, setting.level, JSON.stringify(setting.tolerance)],
    )
    await recordAudit(sql, who.organizationId, {
      actor: who.actor,
      action: 'checks.set',
      subject: { kind: 'check', id: code },
      before: { level: before.level, tolerance: before.tolerance },
      after: setting,
    })
    // only lines keep what their rules make of them; invoices are judged when they are read
    return code.startsWith('line_')
  })
}

export type HabitDecision = 'accepted' | 'declined' | 'withdrawn'
export type DecidedHabit = Issuer & { connectionId: ConnectionId; code: FindingCode; convention: Convention }

/**
 * Decides about an issuer's habit. The connection is the organization's, or nothing is stored and
 * the answer is false.
 */
export async function decideHabit(who: Who, habit: DecidedHabit, decision: HabitDecision): Promise<boolean> {
  let isStored = false
  await changeRules(who, async (sql) => {
    const stored = await sql(
      `insert into habit_decision (organization_id, connection_id, profile_id, invoice_mode, tax_regime, tax_percentage, finding_code,
         convention, decision, decided_by, decided_by_name)
       select u.organization_id, c.id, $4, $5, $6, $7::numeric, $8, $9, $10, u.id, u.name
       from app_user u join connection c on c.organization_id = u.organization_id and c.id = $3
       where u.organization_id = $1 and u.id = $2 returning 1`,
      [
        who.organizationId,
        userIdOf(who.actor),
        habit.connectionId,
        habit.profileId,
        habit.invoiceMode,
        habit.taxRegime,
        habit.taxPercentage,
        habit.code,
        habit.convention,
        decision,
      ],
    )
    isStored = stored.length > 0
    if (isStored)
      await recordAudit(sql, who.organizationId, {
        actor: who.actor,
        action: 'checks.habit',
        subject: { kind: 'habit', id: habit.profileId },
        after: { ...habit, decision },
      })
    return isStored && decision !== 'declined'
  })
  return isStored
}

/** `change` says whether lines have to be judged again. */
function changeRules({ organizationId }: Who, change: (sql: Sql) => Promise<boolean>): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    await holdRules(sql, organizationId, 'alone')
    // as whoever writes lines: the tallies after the rules; a rule takes them where something is
    // signed
    await sql('select from connection_tally where organization_id = $1 order by connection_id for update', [
      organizationId,
    ])
    if (await change(sql)) await wishJudging(sql, organizationId)
  })
}

/** The same text for the same setting. */
function toComparable({ level, tolerance }: CheckSetting): string {
  return JSON.stringify([level, Object.entries(tolerance).sort()])
}
