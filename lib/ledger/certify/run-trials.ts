/** Trials of rules: people ask for them in a web process, workers replay, one after another. */

import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { withSystemSql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import { type Months, type Replayed, replay } from './replay.ts'
import { TERMS } from './stored-terms.ts'

/** For as long one worker has a trial: longer than the largest one takes. */
const LEASE_MINUTES = 30
const MOST_TRIES = 3

/** A trial that this worker has, and how many have had it. */
type Claimed = { organizationId: OrganizationId; number: string; tries: number }

/**
 * Runs every trial that waits. One that is broken off is begun anew when its lease ends; one that
 * fails three times is given up, and says so. None keeps another from its turn.
 */
export async function runTrials(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimTrial()
    if (claimed === null) return
    const { organizationId: organization, number: trial, tries } = claimed
    try {
      // one that has ended its workers
      if (tries > MOST_TRIES) throw new Error('tried too often')
      const lines = await runTrial(claimed)
      log.info({ organization, trial, lines }, 'rule tried on the past')
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      log.error({ organization, trial, tries, reason }, 'rule not tried')
      await putBack(claimed)
    }
  }
}

function claimTrial(): Promise<Claimed | null> {
  return withSystemSql((sql) =>
    claim<Claimed>(sql, {
      table: 'rule_trial',
      key: 'organization_id, number',
      isDue: `done_at is null and failed_at is null and coalesce(lease_until, '-infinity') <= statement_timestamp()`,
      order: 'asked_at',
      hold: `lease_until = statement_timestamp() + interval '${LEASE_MINUTES} minutes', tries = tries + 1`,
      returning: 'organization_id as "organizationId", number::text, tries',
    }),
  )
}

/** How many lines it would have accepted. */
async function runTrial({ organizationId, number, tries }: Claimed): Promise<number> {
  const replayed = await withTenantSnapshot(organizationId, async (sql) => {
    const [asked] = await sql<RuleTerms & Months>(
      `select ${TERMS}, t.first_month::text as from, (t.last_month + interval '1 month')::date::text as before
       from rule_trial t join rule_version v using (organization_id, rule_id, version)
       where t.organization_id = $1 and t.number = $2`,
      [organizationId, number],
    )
    if (asked === undefined) throw new Error('the trial or its version is gone')
    return replay(sql, organizationId, asked, asked)
  })
  await keep({ organizationId, number, tries }, replayed)
  return replayed.figures.lineCount
}

/** Nothing of a worker whose lease ended, and whose trial another one has. */
function keep({ organizationId, number, tries }: Claimed, { figures, parts }: Replayed): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    const [kept] = await sql(
      `update rule_trial set done_at = statement_timestamp(), figures = $4::json, lease_until = null
       where organization_id = $1 and number = $2 and tries = $3 and done_at is null and failed_at is null returning number`,
      [organizationId, number, tries, JSON.stringify(figures)],
    )
    if (kept === undefined) return
    await sql(
      `insert into rule_trial_part (organization_id, trial, connection_id, invoice_serial_number, line_ids, later_ids, is_whole)
       select $1, $2, p."connectionId", p."serialNumber", p."lineIds", p."laterIds", p."isWhole"
       from json_to_recordset($3::json) as p ("connectionId" uuid, "serialNumber" text, "lineIds" text[], "laterIds" text[], "isWhole" boolean)
       returning 1`,
      [organizationId, number, JSON.stringify(parts)],
    )
  })
}

/** Tried again at once, or given up. */
async function putBack({ organizationId, number, tries }: Claimed): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `update rule_trial set lease_until = null, failed_at = ${momentIf(`tries >= ${MOST_TRIES}`, 'statement_timestamp()')}
       where organization_id = $1 and number = $2 and tries = $3 and done_at is null and failed_at is null`,
      [organizationId, number, tries],
    ),
  )
}
