/** Rules as people see them: what each asks, how it was tried, if it is on, and what it did. */
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import type { TrialFigures } from '#lib/reconcile/certify/trial-figures.ts'

/** Invoices of a trial that are named with lines that changed later. */
const MOST_LATER = 20

/**
 * Months of issue, YYYY-MM. `figures` null: a worker has yet to replay, or gave up (`isFailed`).
 * `askedAt`: ISO 8601.
 */
export type Trial = {
  number: string
  version: number
  from: string
  to: string
  askedByName: string
  askedAt: string
  figures: TrialFigures | null
  isFailed: boolean
  later: { connectionId: ConnectionId; serialNumber: string; lineIds: string[] }[]
}

/** `ownerName`: who made it, and as whom it acts. */
export type KeptVersion = { version: number; terms: RuleTerms; ownerName: string }

export type Certification = {
  id: string
  name: string
  newest: KeptVersion
  /** The version that counts; null: the rule is off. */
  active: KeptVersion | null
  /** The newest trial of the newest version. */
  trial: Trial | null
  did: { decisions: number; lines: number; prepared: number; approved: number }
  /**
   * Of the last turn, in each account, of what counts: lines that stayed for people, and signatures
   * that were refused.
   */
  left: { failed: TrialFigures['failed']; refused: { code: string; invoiceCount: number }[] }[]
}

/** `mayApprove`: the organization lets rules approve. `firstMonth`: of the invoices, YYYY-MM. */
export type CertificationList = { rules: Certification[]; mayApprove: boolean; firstMonth: string | null }

/** A row of `rule_version` as `KeptVersion`. */
const toVersion = (v: string) => `json_build_object('version', ${v}.version, 'ownerName', ${v}.made_by_name, 'terms',
  json_build_object('verb', ${v}.verb, 'conditions', ${v}.conditions, 'limits', ${v}.limits, 'share', trim_scale(${v}.share)::text,
    'seed', ${v}.seed, 'monthsLeftOut', ${v}.months_left_out, 'activeFrom', ${v}.active_from))`

const RULES = `
  select r.id, r.name, ${toVersion('v')} as newest, case when a.version is not null then ${toVersion('a')} end as active,
    (select json_build_object('number', t.number::text, 'version', t.version, 'from', left(t.first_month::text, 7),
       'to', left(t.last_month::text, 7), 'askedByName', t.asked_by_name, 'askedAt', t.asked_at, 'figures', t.figures,
       'isFailed', t.failed_at is not null,
       'later', coalesce((select json_agg(json_build_object('connectionId', p.connection_id, 'serialNumber', p.invoice_serial_number,
           'lineIds', p.later_ids)) from (
         select * from rule_trial_part p where p.organization_id = t.organization_id and p.trial = t.number and p.later_ids <> '{}'
         order by p.connection_id, p.invoice_serial_number limit ${MOST_LATER}) p), '[]'))
     from rule_trial t where t.organization_id = r.organization_id and t.rule_id = r.id and t.version = v.version
     order by t.number desc limit 1) as trial,
    json_build_object(
      'decisions', (select count(*) from decision d where d.organization_id = r.organization_id and d.rule_id = r.id),
      'lines', (select coalesce(sum(changed_lines), 0) from decision d where d.organization_id = r.organization_id and d.rule_id = r.id),
      'prepared', (select count(*) from sign_off s where s.organization_id = r.organization_id and s.rule_id = r.id and s.step = 'prepared'),
      'approved', (select count(*) from sign_off s where s.organization_id = r.organization_id and s.rule_id = r.id and s.step = 'approved')
    ) as did,
    coalesce((select json_agg(json_build_object('failed', t.failed, 'refused', t.refused)) from rule_turn t
      where t.organization_id = r.organization_id and t.rule_id = r.id and t.version = a.version), '[]') as left
  from certification_rule r
  cross join lateral (select * from rule_version v where v.organization_id = r.organization_id and v.rule_id = r.id
                      order by v.version desc limit 1) v
  left join lateral (select * from rule_switch s where s.organization_id = r.organization_id and s.rule_id = r.id
                     order by s.number desc limit 1) s on true
  left join rule_version a on a.organization_id = r.organization_id and a.rule_id = r.id and a.version = s.version
  where r.organization_id = $1 order by r.at`

export function listCertification(organizationId: OrganizationId): Promise<CertificationList> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const rules = await sql<Certification>(RULES, [organizationId])
    const [row] = await sql<{ mayApprove: boolean; firstMonth: string | null }>(
      `select rules_approve as "mayApprove", (select left(min(issuing_date)::text, 7) from invoice where organization_id = $1) as "firstMonth"
       from organization where id = $1`,
      [organizationId],
    )
    return { rules, mayApprove: row?.mayApprove ?? false, firstMonth: row?.firstMonth ?? null }
  })
}
