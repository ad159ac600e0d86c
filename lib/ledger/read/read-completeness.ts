import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type Completeness, type HeldTaxes, proveCompleteness, type StatedTaxes } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { InvoiceCheck } from '../model.ts'
import { createSqlParameters, joinConditions } from '../sql/sql-parameters.ts'

/** Which invoices to prove: those named, or all of a connection, or all of the organization. */
export type CompletenessScope = {
  connectionId?: ConnectionId
  invoices?: readonly { connectionId: ConnectionId; serialNumber: string }[]
  /** Issued on or after this day. */
  issuedFrom?: Day
}

export type InvoiceCompleteness = {
  connectionId: ConnectionId
  serialNumber: string
  profileId: string | null
  profileName: string | null
  /** Null if the invoice does not say. */
  issuingDate: Day | null
  currency: string
  /** No longer on the platform, by a complete reading. */
  isGone: boolean
  completeness: Completeness
}

type Row = {
  connectionId: ConnectionId
  serialNumber: string
  profileId: string | null
  profileName: string | null
  issuingDate: Day | null
  currency: string
  isGone: boolean
  total: DecimalText
  creditUsed: DecimalText | null
  statedLineCount: number | null
  statedTaxes: StatedTaxes[]
  held: (HeldTaxes & { currency: string })[] | null
  rejectedLineCount: number
}

/**
 * Proves each invoice of the scope against its own figures. Lines no longer on the platform do not
 * count as held. One query, which reads sums of the lines and no line.
 */
export async function readCompleteness(
  sql: Sql,
  organizationId: OrganizationId,
  scope: CompletenessScope,
): Promise<InvoiceCompleteness[]> {
  const parameters = createSqlParameters()
  const organization = `${parameters.add(organizationId)}::uuid`
  const connection = scope.connectionId === undefined ? null : `${parameters.add(scope.connectionId)}::uuid`
  const named = scope.invoices && {
    connections: parameters.add(scope.invoices.map(({ connectionId }) => connectionId)),
    serials: parameters.add(scope.invoices.map(({ serialNumber }) => serialNumber)),
  }
  const isNamed = (columns: string) =>
    named === undefined
      ? null
      : `(${columns}) in (select * from unnest(${named.connections}::uuid[], ${named.serials}::text[]))`
  const ofConnection = (column: string) => (connection === null ? null : `${column} = ${connection}`)
  const rows = await sql<Row>(
    `with held as (
       select l.connection_id, l.invoice_serial_number, l.currency, l.tax_regime, l.tax_percentage as rate,
              sum(l.line_count)::int as line_count, sum(l.tax_amount) as tax_amount, sum(l.total_amount) as total
       from invoice_rollup l
       where ${joinConditions([
         `l.organization_id = ${organization}`,
         ofConnection('l.connection_id'),
         isNamed('l.connection_id, l.invoice_serial_number'),
         // an invoice and its lines state the same day: this only spares lines of older invoices
         scope.issuedFrom === undefined
           ? null
           : `(l.issuing_date >= ${parameters.add(scope.issuedFrom)}::date or l.issuing_date is null)`,
       ])}
       group by 1, 2, 3, 4, 5),
     held_of_invoice as (
       select connection_id, invoice_serial_number, json_agg(json_build_object('currency', currency, 'taxRegime', tax_regime,
                'taxPercentage', rate::text, 'lineCount', line_count, 'taxAmount', tax_amount::text, 'total', total::text)
                order by tax_regime, rate) as groups
       from held group by 1, 2),
     rejected as (
       select connection_id, invoice_serial_number, count(*)::int as line_count from rejected_line
       where organization_id = ${organization} and list = 'lines' and resolved_at is null group by 1, 2)
     select i.connection_id as "connectionId", i.serial_number as "serialNumber", i.profile_id as "profileId",
            i.profile_name as "profileName", i.issuing_date::text as "issuingDate", i.currency, i.missing_since is not null as "isGone",
            i.total::text, i.credit_used::text as "creditUsed", i.stated_line_count as "statedLineCount",
            i.taxes_summary as "statedTaxes", h.groups as held, coalesce(r.line_count, 0) as "rejectedLineCount"
     from invoice i
     left join held_of_invoice h on h.connection_id = i.connection_id and h.invoice_serial_number = i.serial_number
     left join rejected r on r.connection_id = i.connection_id and r.invoice_serial_number = i.serial_number
     where ${joinConditions([
       `i.organization_id = ${organization}`,
       ofConnection('i.connection_id'),
       isNamed('i.connection_id, i.serial_number'),
       scope.issuedFrom === undefined ? null : `i.issuing_date >= ${parameters.add(scope.issuedFrom)}::date`,
     ])}`,
    parameters.values,
  )
  return rows.map(toCompleteness)
}

function toCompleteness({ held, ...row }: Row): InvoiceCompleteness {
  const groups = held ?? []
  const completeness = proveCompleteness({
    currency: row.currency,
    total: row.total,
    creditUsed: row.creditUsed,
    statedLineCount: row.statedLineCount,
    statedTaxes: row.statedTaxes,
    heldTaxes: groups.filter(({ currency }) => currency === row.currency),
    rejectedLineCount: row.rejectedLineCount,
    otherCurrencyLineCount: groups
      .filter(({ currency }) => currency !== row.currency)
      .reduce((sum, { lineCount }) => sum + lineCount, 0),
  })
  const { connectionId, serialNumber, profileId, profileName, issuingDate, currency, isGone } = row
  return { connectionId, serialNumber, profileId, profileName, issuingDate, currency, isGone, completeness }
}

/** The proof in short, as a list row shows it. */
export function toInvoiceCheck({ verdict, total, count, rejectedLineCount }: Completeness): InvoiceCheck {
  const linesMissing = Math.max(0, (count.stated ?? 0) - count.held)
  return { verdict, difference: total.difference, linesMissing, rejectedLineCount }
}
