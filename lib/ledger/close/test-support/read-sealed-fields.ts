/** Reads what a seal is made of row by row, for the seal of `lib/reconcile/close/seal.ts`. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import {
  type SealedInvoice,
  type SealedLine,
  type SealedVersions,
  sealInvoice,
  sealPeriod,
} from '#lib/reconcile/close/seal.ts'
import { writeSeen } from '#lib/reconcile/review/invoice-review.ts'
import { readCompleteness } from '../../kept/plain-invoices/read-completeness.ts'
import { readInvoiceReviews, toReviewed } from '../../review/invoices/read-reviewed.ts'
import { toFoundBeside } from '../../review/review-columns.ts'
import { type Scope, toScopeCondition } from '../read-seal.ts'

type Row = Omit<SealedInvoice, 'lines' | 'seen' | 'versions'>

/** The seal of a scope as TypeScript makes it, from rows that are read one by one. */
export async function sealSlowly(
  sql: Sql,
  organizationId: OrganizationId,
  scope: Scope,
  versions: SealedVersions,
): Promise<string> {
  const { condition, values } = toScopeCondition(scope)
  const rows = await sql<Row>(
    `select i.connection_id as "connectionId", i.serial_number as "serialNumber", i.profile_id as "profileId", i.mode,
       i.issuing_date::text as "issuingDate", i.due_date::text as "dueDate", i.currency, i.total::text, i.credit_used::text as "creditUsed",
       i.stated_line_count as "statedLineCount", i.stated_taxes as "statedTaxes", i.missing_since is not null as "isGone",
       coalesce(v.state, 'open') as review, v.decision::text
     from invoice i left join invoice_review v on v.organization_id = i.organization_id and v.connection_id = i.connection_id
       and v.invoice_serial_number = i.serial_number
     where i.organization_id = $1 and i.connection_id = $2 and ${condition}`,
    [organizationId, scope.connectionId, ...values],
  )
  const ordered = rows.sort((one, other) =>
    Buffer.compare(Buffer.from(one.serialNumber), Buffer.from(other.serialNumber)),
  )
  const seals: string[] = []
  for (const row of ordered) {
    const key = { connectionId: scope.connectionId, serialNumber: row.serialNumber }
    const [proof] = await readCompleteness(sql, organizationId, [key])
    if (proof === undefined) throw new Error(`no proof of ${row.serialNumber}`)
    const { seen } = toReviewed(proof, await readInvoiceReviews(sql, organizationId, [key]))
    const isSaid = seen.findings.length + seen.notes.length > 0
    const lines = await readLines(sql, organizationId, scope, row.serialNumber)
    seals.push(sealInvoice({ ...row, versions, lines, seen: isSaid ? writeSeen(seen) : null }))
  }
  if (scope.kind === 'invoice') return seals[0] ?? ''
  return sealPeriod({ ...scope, profileId: scope.kind === 'profile_month' ? scope.profileId : null }, seals)
}

async function readLines(
  sql: Sql,
  organizationId: OrganizationId,
  scope: Scope,
  serial: string,
): Promise<SealedLine[]> {
  const lines = await sql<SealedLine>(
    `select l.id, l.currency, l.quantity::text, l.unit_price::text as "unitPrice", l.non_taxable_unit_price::text as "nonTaxableUnitPrice",
       l.tax_percentage::text as "taxPercentage", l.tax_regime as "taxRegime", l.tax_amount::text as "taxAmount",
       l.total_amount::text as "totalAmount", l.finding_codes as "findingCodes", coalesce(l.explained_codes, '{}') as "explainedCodes",
       l.missing_since is not null as "isGone", ${toFoundBeside('l', '$1::uuid')} as "foundBeside",
       coalesce(v.state, 'open') as review, v.decision::text
     from line l left join line_review v on v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id
     where l.organization_id = $1 and l.connection_id = $2 and l.invoice_serial_number = $3`,
    [organizationId, scope.connectionId, serial],
  )
  return lines.sort((one, other) => Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)))
}
