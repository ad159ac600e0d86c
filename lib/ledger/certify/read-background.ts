/** What a rule has to know of an account beside its invoices. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ChosenCondition, RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import { type Issuer, toIssuerKey } from '#lib/reconcile/checks/judge.ts'

/** SQL of a moment that sorts as a text, to the microsecond. */
export const toMoment = (at: string): string => `to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A decision about an issuer's way of rounding, as it was made. `at`: as `toMoment` writes it. */
export type KnownHabit = { issuer: string; code: string; decision: string; at: string }

/**
 * `vendors`, `regimes`: since when each name is in the account; nothing where the rule does not
 * ask, since it takes all lines. `habits`: in order.
 */
export type Background = {
  habits: KnownHabit[]
  vendors: ReadonlyMap<string, string>
  regimes: ReadonlyMap<string, string>
}

/** A name stands from when a line had it first, also of a line that has another one by now. */
const namesSince = (now: string, then: string) => `
  with past as (
    select line_id, until, ${then} as name, lag(until) over (partition by line_id order by id) as since
    from line_past where organization_id = $1 and connection_id = $2)
  select name, ${toMoment('min(since)')} as since from (
    select ${now} as name, coalesce((select max(until) from past where past.line_id = l.id), first_seen_at) as since
    from line l where organization_id = $1 and connection_id = $2
    union all
    select past.name, coalesce(past.since, l.first_seen_at) from past
    join line l on l.organization_id = $1 and l.connection_id = $2 and l.id = past.line_id) named
  where name is not null group by 1`

export async function readBackground(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { conditions }: Pick<RuleTerms, 'conditions'>,
): Promise<Background> {
  const values = [organizationId, connectionId]
  const habits = await sql<Issuer & { code: string; decision: string; at: string }>(
    `select profile_id as "profileId", invoice_mode as "invoiceMode", tax_regime as "taxRegime", tax_percentage::text as "taxPercentage",
       finding_code as code, decision, ${toMoment('decided_at')} as at
     from habit_decision where organization_id = $1 and connection_id = $2 order by number`,
    values,
  )
  const readNames = async (asks: ChosenCondition, now: string, then: string) => {
    if (!conditions.includes(asks)) return new Map<string, string>()
    const rows = await sql<{ name: string; since: string }>(namesSince(now, then), values)
    return new Map(rows.map(({ name, since }) => [name, since]))
  }
  return {
    habits: habits.map(({ code, decision, at, ...issuer }) => ({ issuer: toIssuerKey(issuer), code, decision, at })),
    vendors: await readNames('vendor', 'coalesce(vendor_name, vendor_code)', 'vendor_name'),
    regimes: await readNames('regime', 'tax_regime', 'tax_regime'),
  }
}
