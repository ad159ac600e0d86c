/** The invoices of a pack: their proofs, what was decided about them, and their records. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { PROOF_VERSION } from '#lib/ledger/apply/proof-version.ts'
import { REJECTED_LINES } from '#lib/ledger/kept/plain-invoices/plain-invoices.ts'
import { type InvoiceCompleteness, readCompleteness } from '#lib/ledger/kept/plain-invoices/read-completeness.ts'
import { readInvoiceReviews, toReviewed } from '#lib/ledger/review/invoices/read-reviewed.ts'
import type { SealedInvoice, SealedVersions } from '#lib/reconcile/close/seal.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { writeSeen } from '#lib/reconcile/review/invoice-review.ts'
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import type { PackScope } from './pack-scope.ts'

type Stored = {
  serialNumber: string
  profileId: string | null
  profileName: string | null
  mode: string | null
  issuingDate: string | null
  dueDate: string | null
  currency: string
  total: DecimalText
  creditUsed: DecimalText | null
  statedLineCount: number | null
  statedTaxes: string[]
  isGone: boolean
  contentHash: string
  raw: string
  reviewState: string | null
  decision: string | null
  reason: string | null
  note: string | null
  by: string | null
  /** ISO 8601, UTC. */
  at: string | null
}

/** A line of an invoice that could not be imported. `total`: where its record states one. */
export type NotImported = {
  invoice: string
  total: DecimalText | null
  currency: string | null
  /** Why, and of which field. */
  why: string
  where: string
  /** As received; it may be no JSON. */
  record: string
}

export type PackInvoice = {
  sealed: Omit<SealedInvoice, 'lines'>
  /** By their hashes. */
  notImported: NotImported[]
  proof: InvoiceCompleteness
  contentHash: string
  raw: string
  profileName: string | null
  /** Where it stands: a decision about another proof than this one is suspended. */
  stands: ReviewChoice
  /** Why it was decided, by whom and when; null where nobody has. */
  decided: { reason: string | null; note: string | null; by: string; at: string } | null
}

/** These invoices of the scope's account, by serial number; in the caller's transaction. */
export async function readPackInvoices(
  sql: Sql,
  organizationId: OrganizationId,
  { connectionId }: PackScope,
  serialNumbers: readonly string[],
): Promise<PackInvoice[]> {
  const versions = await readVersions(sql, organizationId, connectionId)
  const keys = serialNumbers.map((serialNumber) => ({ connectionId, serialNumber }))
  const proofs = new Map(
    (await readCompleteness(sql, organizationId, keys)).map((proof) => [proof.serialNumber, proof]),
  )
  const reviews = await readInvoiceReviews(sql, organizationId, keys)
  const rejected = groupBy(
    await sql<NotImported>(NOT_IMPORTED, [organizationId, connectionId, serialNumbers]),
    ({ invoice }) => invoice,
  )
  const rows = await sql<Stored>(
    `select i.serial_number as "serialNumber", i.profile_id as "profileId", i.profile_name as "profileName", i.mode,
       i.issuing_date::text as "issuingDate", i.due_date::text as "dueDate", i.currency, i.total::text, i.credit_used::text as "creditUsed",
       i.stated_line_count as "statedLineCount", i.stated_taxes as "statedTaxes", i.missing_since is not null as "isGone",
       i.content_hash as "contentHash", i.raw::text as raw,
       v.state as "reviewState", v.decision::text, coalesce(d.reason_words, d.reason_code) as reason, d.note, d.actor_name as by,
       to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
     from invoice i
       left join invoice_review v on v.organization_id = i.organization_id and v.connection_id = i.connection_id
         and v.invoice_serial_number = i.serial_number
       left join decision d on d.organization_id = v.organization_id and d.number = v.decision
     where i.organization_id = $1 and i.connection_id = $2 and i.serial_number = any($3::text[])
     order by i.serial_number collate "C"`,
    [organizationId, connectionId, serialNumbers],
  )
  return rows.flatMap((row) => {
    const proof = proofs.get(row.serialNumber)
    if (proof === undefined) return []
    const { seen, stand } = toReviewed(proof, reviews)
    const isSeen = seen.findings.length + seen.notes.length > 0
    return {
      sealed: {
        ...row,
        connectionId,
        seen: isSeen ? writeSeen(seen) : null,
        review: row.reviewState ?? 'open',
        versions,
      },
      notImported: rejected.get(row.serialNumber) ?? [],
      proof,
      contentHash: row.contentHash,
      raw: row.raw,
      profileName: row.profileName,
      stands: stand.state,
      decided:
        row.by === null || row.at === null ? null : { reason: row.reason, note: row.note, by: row.by, at: row.at },
    }
  })
}

/** What the tie-out counts as not imported, record by record. */
const NOT_IMPORTED = `
  select r.invoice_serial_number as invoice, r.stated_total::text as total,
    case when r.stated_total is not null then r.stated_currency end as currency, r.reason as why, r.path as where, r.raw as record
  from ${REJECTED_LINES} and r.connection_id = $2 and r.invoice_serial_number = any($3::text[])
  order by r.raw_hash collate "C"`

/** What the seal has of what judged: the proof, the newest check, the account's newest habit. */
async function readVersions(sql: Sql, organizationId: OrganizationId, connectionId: string): Promise<SealedVersions> {
  const [newest] = await sql<{ checks: string; habits: string }>(
    `select coalesce((select max(number) from check_setting where organization_id = $1), 0)::text as checks,
       coalesce((select max(number) from habit_decision where organization_id = $1 and connection_id = $2), 0)::text as habits`,
    [organizationId, connectionId],
  )
  return { proof: PROOF_VERSION, checks: newest?.checks ?? '0', habits: newest?.habits ?? '0' }
}
