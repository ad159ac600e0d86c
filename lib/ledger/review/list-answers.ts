/** Later lines that answer what is disputed (docs/decisions/057-disputes.md). */
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Candidate, OpenDispute } from '#lib/reconcile/dispute/answer.ts'
import { findAnswers } from '#lib/reconcile/dispute/find-answers.ts'
import { DAYS_SINCE_DECIDED, LAST_LETTER } from '../fields/letter-fields.ts'
import type { AnsweredDispute } from '../model.ts'
import { listConfirmed } from './list-confirmed.ts'
import { REVIEW_OF_LINE } from './review-columns.ts'

/** Beyond so many later credits, the newest are looked at. */
const MOST_CANDIDATES = 2000

type Disputed = AnsweredDispute['dispute'] & { hasChanged: boolean; changedOn: OpenDispute['disputedOn'] | null }

const BEARINGS = `l.connection_id || '~' || l.id as id, l.connection_id as "connectionId", l.invoice_serial_number as "invoiceSerialNumber",
  l.id as "lineId", l.description, l.trip_id as "tripId", l.service, l.vendor_name as "vendorName",
  l.traveler_names as "travelerNames", l.currency, l.total_amount::text as "totalAmount"`

const toDay = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD')`

/** Every open dispute, the longest waiting first, each with its answer if there is one. */
export function listAnswers(organizationId: OrganizationId): Promise<AnsweredDispute[]> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const disputes = await readDisputes(sql, organizationId)
    if (disputes.length === 0) return []
    const candidates = [...(await readCredits(sql, organizationId, disputes)), ...toCorrections(disputes)]
    const answers = findAnswers(disputes, candidates, await listConfirmed(sql, organizationId))
    return disputes.map((dispute) => ({
      dispute,
      answer: answers.find(({ disputeId }) => disputeId === dispute.id) ?? null,
    }))
  })
}

/** Also those whose line has changed since: the change may be the answer. */
function readDisputes(sql: Sql, organizationId: OrganizationId): Promise<Disputed[]> {
  return sql<Disputed>(
    `select ${BEARINGS}, v.expected_back::text as "expectedBack", ${toDay('d.decided_at')} as "disputedOn",
       ${DAYS_SINCE_DECIDED} as "daysWaiting", ${LAST_LETTER} as letter, v.amount::text as "totalBefore",
       v.state = 'suspended' as "hasChanged", ${toDay('v.suspended_at')} as "changedOn"
     from line_review v
     join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
     join decision d on d.organization_id = v.organization_id and d.number = v.decision
     where v.organization_id = $1 and v.expected_back > 0
       and (v.state = 'disputed' or (v.state = 'suspended' and v.previous_state = 'disputed' and v.cause = 'changed'))
     order by d.decided_at, v.connection_id, v.line_id`,
    [organizationId],
  )
}

/** Credits that came later in an account and currency of a dispute, and that nobody disputes. */
function readCredits(
  sql: Sql,
  organizationId: OrganizationId,
  disputes: readonly Disputed[],
): Promise<(Candidate & { kind: 'credit' })[]> {
  const first = disputes.map(({ disputedOn }) => disputedOn).sort()[0]
  const accounts = [...new Map(disputes.map((each) => [`${each.connectionId} ${each.currency}`, each])).values()]
  return sql(
    `select ${BEARINGS}, 'credit' as kind, ${toDay('l.first_seen_at')} as "seenOn",
       (select i.reference from invoice i where i.organization_id = l.organization_id and i.connection_id = l.connection_id
        and i.serial_number = l.invoice_serial_number) as reference
     from line l left join ${REVIEW_OF_LINE}
     where l.organization_id = $1 and l.first_seen_at >= $2::date and l.total_amount < 0 and l.missing_since is null
       and (l.connection_id, l.currency) in (select * from unnest($3::uuid[], $4::text[]))
       and coalesce(v.state, 'open') <> 'disputed'
     order by l.first_seen_at desc, l.connection_id, l.id limit ${MOST_CANDIDATES}`,
    [organizationId, first, accounts.map(({ connectionId }) => connectionId), accounts.map(({ currency }) => currency)],
  )
}

/** The new version of a disputed line, where the platform changed it. */
function toCorrections(disputes: readonly Disputed[]): Candidate[] {
  return disputes.flatMap(({ hasChanged, changedOn, ...line }): Candidate[] =>
    hasChanged && changedOn !== null
      ? [{ ...line, id: `${line.id} ${changedOn}`, seenOn: changedOn, reference: null, kind: 'correction' }]
      : [],
  )
}
