import type { OrganizationId } from '#lib/ids.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { INVOICE_FILTERS, type InvoiceQuery } from '../query/invoice-query.ts'
import { joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'
import { createFilterConditions } from './filter-conditions.ts'
import { toInvoiceTextCondition } from './text-conditions.ts'

/**
 * What the lines of `invoice i`, of the organization `$1`, add up to: rows of `invoice_rollup l`,
 * by currency and tax.
 */
export const ROLLUP_OF_INVOICE = `l.organization_id = $1::uuid and l.connection_id = i.connection_id
  and l.invoice_serial_number = i.serial_number`

/**
 * SQL of how many invoices of the organization `$1` the platform has: the tally of all that are
 * stored, less the few that are gone.
 */
export const INVOICE_COUNT = `(
  select (coalesce(sum(t.invoice_count), 0) - (select count(*) from invoice
            where organization_id = $1::uuid and missing_since is not null))::int
  from connection_tally t where t.organization_id = $1::uuid)`

const toFilterConditions = createFilterConditions({
  alias: 'i',
  fields: STORED_INVOICE_FIELDS,
  filters: INVOICE_FILTERS,
  others: {
    // list-invoices.ts proves the invoices for these filters
    findingsOnly: () => null,
    states: () => null,
    findings: () => null,
    reviews: () => null,
    decisions: () => null,
    // below: without it, what is gone is in no list
    goneOnly: () => null,
    credit: ({ credit }) => (credit ? 'i.credit_used <> 0' : null),
    from: ({ from }, parameters) => (from === null ? null : `i.issuing_date >= ${parameters.add(from)}::date`),
    to: ({ to }, parameters) => (to === null ? null : `i.issuing_date <= ${parameters.add(to)}::date`),
    text: ({ text }, parameters) => toInvoiceTextCondition(text, parameters),
  },
})

/**
 * The one where-clause of invoices (`invoice i`), for the list and its totals. Every value is a
 * parameter.
 */
export function toInvoiceConditions(
  organizationId: OrganizationId,
  query: InvoiceQuery,
  parameters: SqlParameters,
): string {
  return joinConditions([
    `i.organization_id = ${parameters.add(organizationId)}::uuid`,
    query.goneOnly ? 'i.missing_since is not null' : 'i.missing_since is null',
    ...toFilterConditions(query, parameters),
  ])
}
