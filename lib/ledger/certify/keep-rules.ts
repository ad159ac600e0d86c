/**
 * People make rules, ask for trials of them, and turn them on and off
 * (docs/decisions/066-certification-rules.md). Each is audited in its own transaction.
 */

import { randomBytes } from 'node:crypto'
import { type Actor, type AuditAction, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'

type Who = { organizationId: OrganizationId; actor: Actor; name: string }

/** What a person writes; the seed is drawn. */
export type WishedTerms = Omit<RuleTerms, 'seed'>

/**
 * Makes a rule and its first version, which is off. @throws `rule-may-not-approve`
 * (OperationalError) of one that approves where the organization lets none.
 */
export function makeRule(who: Who, name: string, terms: WishedTerms): Promise<{ id: string; version: number }> {
  return withTenantSql(who.organizationId, async (sql) => {
    const [rule] = await sql<{ id: string }>(
      'insert into certification_rule (organization_id, name, made_by, made_by_name) values ($1, $2, $3, $4) returning id',
      [who.organizationId, name, userIdOf(who.actor), who.name],
    )
    const id = rule?.id as string
    await insertVersion(sql, who, id, 1, terms)
    await audit(sql, who, 'rule.made', id, { name, ...terms })
    return { id, version: 1 }
  })
}

/** `changed`: somebody has made another version since that one was seen, and nothing was done. */
type ChangedRule = { kind: 'done'; id: string; version: number } | { kind: 'changed' | 'gone' }

/**
 * Makes the version after exactly the one that was seen; what counts goes on to count until another
 * one is turned on. Whoever makes it owns it. Of two people at once the second is told.
 */
export function changeRule(who: Who, id: string, seen: number, terms: WishedTerms): Promise<ChangedRule> {
  return withTenantSql(who.organizationId, async (sql) => {
    const [rule] = await sql<{ newest: number }>(
      `select max(version) as newest from rule_version where organization_id = $1 and rule_id = $2 having max(version) is not null`,
      [who.organizationId, id],
    )
    if (rule === undefined) return { kind: 'gone' }
    const version = seen + 1
    // who came second waited for the other one's version, and finds it there
    if (rule.newest !== seen || !(await insertVersion(sql, who, id, version, terms))) return { kind: 'changed' }
    await audit(sql, who, 'rule.changed', id, { version, ...terms })
    return { kind: 'done', id, version }
  })
}

/** False where there is such a version already. */
async function insertVersion(sql: Sql, who: Who, id: string, version: number, terms: WishedTerms): Promise<boolean> {
  const inserted = await sql(
    `insert into rule_version (organization_id, rule_id, version, verb, conditions, limits, share, seed, months_left_out, active_from,
       made_by, made_by_name) values ($1, $2, $3, $4, $5, $6::jsonb, $7::numeric, $8, $9, $10::date, $11, $12)
     on conflict do nothing returning version`,
    [
      who.organizationId,
      id,
      version,
      terms.verb,
      terms.conditions,
      JSON.stringify(terms.limits),
      terms.share,
      randomBytes(16).toString('hex'),
      terms.monthsLeftOut,
      terms.activeFrom,
      userIdOf(who.actor),
      who.name,
    ],
  )
  return inserted.length > 0
}

/** A version of a rule, and months of issue, written `YYYY-MM`. */
export type TrialWish = { rule: string; version: number; from: string; to: string }

/**
 * Asks a worker to replay a version.
 * @returns the trial's number; null: there is no such version.
 */
export function askForTrial(who: Who, { rule, version, from, to }: TrialWish): Promise<string | null> {
  return withTenantSql(who.organizationId, async (sql) => {
    const [trial] = await sql<{ number: string }>(
      `insert into rule_trial (organization_id, rule_id, version, first_month, last_month, asked_by, asked_by_name)
       select organization_id, rule_id, version, $4::date, $5::date, $6, $7 from rule_version
       where organization_id = $1 and rule_id = $2 and version = $3 returning number::text`,
      [who.organizationId, rule, version, `${from}-01`, `${to}-01`, userIdOf(who.actor), who.name],
    )
    if (trial === undefined) return null
    await audit(sql, who, 'rule.tried', rule, { version, from, to, trial: trial.number })
    await wakeWorkers(sql)
    return trial.number
  })
}

/**
 * Turns on the version that a trial was of, instead of any other; null turns the rule off. Workers
 * follow it from their next turn. @throws `rule-not-tried`, `rule-may-not-approve`
 * (OperationalError). False: there is no such rule or trial.
 */
export function switchRule(who: Who, rule: string, trial: string | null): Promise<boolean> {
  return withTenantSql(who.organizationId, async (sql) => {
    const values = [who.organizationId, rule, trial, userIdOf(who.actor), who.name]
    const [switched] = await sql<{ version: number | null }>(
      trial === null
        ? `insert into rule_switch (organization_id, rule_id, version, trial, actor_id, actor_name)
           select organization_id, id, null, $3::bigint, $4, $5 from certification_rule where organization_id = $1 and id = $2 returning version`
        : `insert into rule_switch (organization_id, rule_id, version, trial, actor_id, actor_name)
           select organization_id, rule_id, version, number, $4, $5 from rule_trial
           where organization_id = $1 and rule_id = $2 and number = $3::bigint returning version`,
      values,
    )
    if (switched === undefined) return false
    await audit(sql, who, trial === null ? 'rule.turned-off' : 'rule.turned-on', rule, {
      version: switched.version,
      trial,
    })
    await wakeWorkers(sql)
    return true
  })
}

/** Says whether rules of the organization may approve what somebody else prepared. */
export async function letRulesApprove(who: Who, isAllowed: boolean): Promise<void> {
  await withTenantSql(who.organizationId, async (sql) => {
    const changed = await sql(
      'update organization set rules_approve = $2 where id = $1 and rules_approve <> $2 returning id',
      [who.organizationId, isAllowed],
    )
    if (changed.length === 0) return
    await recordAudit(sql, who.organizationId, {
      actor: who.actor,
      action: 'rule.approving-allowed',
      subject: { kind: 'organization', id: who.organizationId },
      before: { rulesApprove: !isAllowed },
      after: { rulesApprove: isAllowed },
    })
  })
}

function audit(
  sql: Sql,
  { organizationId, actor }: Who,
  action: AuditAction,
  id: string,
  after: object,
): Promise<void> {
  return recordAudit(sql, organizationId, {
    actor,
    action,
    subject: { kind: 'rule', id },
    after: after as Record<string, unknown>,
  })
}
