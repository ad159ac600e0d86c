import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { CheckCode, CheckSetting } from '#lib/reconcile/checks/checks.ts'
import { type Issuer, toIssuerKey } from '#lib/reconcile/checks/judge.ts'
import type { FindingCode } from '#lib/reconcile/line-proof.ts'
import type { Convention } from '#lib/reconcile/reason.ts'
import { type HabitProposal, proposeHabit } from '#lib/reconcile/reasons/propose-habit.ts'
import { selectTogether } from '../sql/select-together.ts'
import type { HabitDecision } from './change-rules.ts'
import { DECISIONS, SETTINGS } from './read-rules.ts'

/** A check that was tuned, as it is now. `changedAt`: ISO 8601, UTC. */
export type TunedCheck = CheckSetting & { code: CheckCode; changedByName: string; changedAt: string }

/** The lines of one issuer in which one check fails, beside what was decided about it. */
export type IssuerHabit = Issuer & {
  connectionId: ConnectionId
  connectionName: string | null
  profileName: string | null
  code: FindingCode
  /** All lines of the issuer. */
  lineCount: number
  /** Those in which the check fails, and their invoices. */
  failedCount: number
  invoiceCount: number
  /** What the lines seem to follow; null if nothing does. */
  proposal: HabitProposal | null
  /** The newest decision; `fitting`: failed lines that its convention fits. */
  decision: { decision: HabitDecision; convention: Convention; fitting: number; byName: string; at: string } | null
}

export type RuleList = { checks: TunedCheck[]; habits: IssuerHabit[]; currencies: string[] }

type Key = Issuer & { connectionId: ConnectionId; code: FindingCode }
type Failed = Key & { failedCount: number; invoiceCount: number }
type Fit = Key & { convention: Convention; lineCount: number }
type Decided = Key & { convention: Convention; decision: HabitDecision; decidedByName: string; decidedAt: string }
type Known = Issuer & {
  connectionId: ConnectionId
  connectionName: string | null
  profileName: string | null
  lineCount: number
}

const KEY = `connection_id as "connectionId", profile_id as "profileId", invoice_mode as "invoiceMode",
  tax_regime as "taxRegime", trim_scale(tax_percentage)::text as "taxPercentage"`

/** One row per failed check of a line that the platform has. */
const FAILED = `
  with failed as materialized (
    select l.connection_id, l.profile_id, l.invoice_mode, l.tax_regime, l.tax_percentage, c.code, l.invoice_serial_number, l.reason_codes
    from line l cross join lateral (values ('total', l.difference), ('tax', l.tax_difference)) c(code, difference)
    where l.organization_id = $1::uuid and l.missing_since is null and (l.difference <> 0 or l.tax_difference <> 0) and c.difference <> 0)`

/**
 * An organization's rules, and the habits that its issuers seem to have, those with most lines
 * first. Read at one moment.
 */
export async function listRules(organizationId: OrganizationId): Promise<RuleList> {
  const { checks, failed, fits, decided, known, currencies } = await withTenantSql(organizationId, (sql) =>
    selectTogether<{
      checks: TunedCheck[]
      failed: Failed[]
      fits: Fit[]
      decided: Decided[]
      known: Known[]
      currencies: { currency: string }[]
    }>(
      sql,
      {
        checks: SETTINGS,
        failed: `select ${KEY}, code, count(*)::int as "failedCount", count(distinct invoice_serial_number)::int as "invoiceCount"
                 from failed group by 1, 2, 3, 4, 5, 6`,
        fits: `select ${KEY}, code, convention, count(*)::int as "lineCount"
               from failed, unnest(reason_codes) convention group by 1, 2, 3, 4, 5, 6, 7`,
        decided: DECISIONS,
        known: `select r.*, c.name as "connectionName" from (
                  select ${KEY}, max(profile_name) as "profileName", sum(line_count)::int as "lineCount"
                  from invoice_rollup where organization_id = $1::uuid group by 1, 2, 3, 4, 5) r
                join connection c on c.organization_id = $1::uuid and c.id = r."connectionId"`,
        currencies: `select distinct currency from line_rollup where organization_id = $1::uuid and grain = 'service' order by currency`,
      },
      [organizationId],
      FAILED,
    ),
  )
  const issuers = new Map(known.map((issuer) => [toKey(issuer), issuer]))
  const of = <T extends Key>(rows: readonly T[], { code, ...issuer }: Key) =>
    rows.filter((row) => row.code === code && toKey(row) === toKey(issuer))
  const keys = new Map([...failed, ...decided].map((key) => [`${toKey(key)} ${key.code}`, key]))
  const habits = [...keys.values()].map((key): IssuerHabit => {
    const [failing] = of(failed, key)
    const ofConvention = Object.fromEntries(of(fits, key).map(({ convention, lineCount }) => [convention, lineCount]))
    const [decision] = of(decided, key)
    const issuer = issuers.get(toKey(key))
    const failedCount = failing?.failedCount ?? 0
    return {
      connectionId: key.connectionId,
      profileId: key.profileId,
      invoiceMode: key.invoiceMode,
      taxRegime: key.taxRegime,
      taxPercentage: key.taxPercentage,
      code: key.code,
      connectionName: issuer?.connectionName ?? null,
      profileName: issuer?.profileName ?? null,
      lineCount: issuer?.lineCount ?? 0,
      failedCount,
      invoiceCount: failing?.invoiceCount ?? 0,
      proposal: proposeHabit({ code: key.code, lineCount: failedCount, fits: ofConvention }),
      decision:
        decision === undefined
          ? null
          : {
              decision: decision.decision,
              convention: decision.convention,
              fitting: ofConvention[decision.convention] ?? 0,
              byName: decision.decidedByName,
              at: decision.decidedAt,
            },
    }
  })
  return {
    checks,
    habits: habits
      .filter(({ proposal, decision }) => proposal !== null || isStanding(decision))
      .sort((a, b) => b.failedCount - a.failedCount),
    currencies: currencies.map(({ currency }) => currency),
  }
}

function isStanding(decision: IssuerHabit['decision']): boolean {
  return decision?.decision === 'accepted'
}

function toKey(issuer: Issuer & { connectionId: ConnectionId }): string {
  return `${issuer.connectionId} ${toIssuerKey(issuer)}`
}
