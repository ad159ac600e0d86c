/** Trials of rules: people ask for them in a web process, workers replay. */
import { withSystemSql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import { replay } from './replay.ts'
import { TERMS } from './stored-terms.ts'

type OpenTrial = { organizationId: OrganizationId; number: string }

/**
 * Runs every open trial. One that is broken off is begun anew; of two, one keeps what it found. One
 * that fails keeps no other one from its turn, and is tried again.
 */
export async function runTrials(signal: AbortSignal): Promise<void> {
  const open = await withSystemSql((sql) =>
    sql<OpenTrial>(
      `select organization_id as "organizationId", number::text from rule_trial where done_at is null order by asked_at`,
    ),
  )
  for (const trial of open) {
    if (signal.aborted) return
    try {
      await runTrial(trial)
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      log.error({ organization: trial.organizationId, trial: trial.number, reason }, 'rule not tried')
    }
  }
}

type Asked = RuleTerms & { from: string; before: string }

async function runTrial({ organizationId, number }: OpenTrial): Promise<void> {
  const replayed = await withTenantSnapshot(organizationId, async (sql) => {
    const [asked] = await sql<Asked>(
      `select ${TERMS}, t.first_month::text as from, (t.last_month + interval '1 month')::date::text as before
       from rule_trial t join rule_version v using (organization_id, rule_id, version)
       where t.organization_id = $1 and t.number = $2 and t.done_at is null`,
      [organizationId, number],
    )
    return asked === undefined ? null : replay(sql, organizationId, asked, asked)
  })
  if (replayed === null) return
  const isKept = await withTenantSql(organizationId, async (sql) => {
    const [kept] = await sql(
      `update rule_trial set done_at = clock_timestamp(), figures = $3::json
       where organization_id = $1 and number = $2 and done_at is null returning number`,
      [organizationId, number, JSON.stringify(replayed.figures)],
    )
    if (kept === undefined) return false
    await sql(
      `insert into rule_trial_part (organization_id, trial, connection_id, invoice_serial_number, line_ids, later_ids, is_whole)
       select $1, $2, p."connectionId", p."serialNumber", p."lineIds", p."laterIds", p."isWhole"
       from json_to_recordset($3::json) as p ("connectionId" uuid, "serialNumber" text, "lineIds" text[], "laterIds" text[], "isWhole" boolean)`,
      [organizationId, number, JSON.stringify(replayed.parts)],
    )
    return true
  })
  if (isKept)
    log.info(
      { organization: organizationId, trial: number, lines: replayed.figures.lineCount },
      'rule tried on the past',
    )
}
