import { toSearchedAmounts, withBothSigns } from './amount-search.ts'
import type { InvoiceQuery } from './invoice-query.ts'
import {
  joinConditions,
  type SqlParameters,
  toAnyOf,
  toConnectionCondition,
  toContainsPattern,
} from './sql-parameters.ts'

/** The lines of `invoice i`. The partner's lines name their invoice by its serial number. */
export const LINES_OF_INVOICE = `l.organization_id = i.organization_id and l.connection_id = i.connection_id
  and l.invoice_serial_number = i.serial_number and l.missing_since is null`

const SEARCHED_COLUMNS = ['i.serial_number', 'i.profile_name', 'i.legal_name', 'i.reference']

/** The one where-clause of invoices (`invoice i`), for the list and its totals. Every value is a parameter. */
export function toInvoiceConditions(organizationId: string, query: InvoiceQuery, parameters: SqlParameters): string {
  return joinConditions([
    `i.organization_id = ${parameters.add(organizationId)}::uuid`,
    'i.missing_since is null',
    toConnectionCondition('i.connection_id', query.connections, parameters),
    query.from === null ? null : `i.issuing_date >= ${parameters.add(query.from)}::date`,
    query.to === null ? null : `i.issuing_date <= ${parameters.add(query.to)}::date`,
    toAnyOf('i.currency', query.currencies, parameters),
    toAnyOf('i.status', query.statuses, parameters),
    toAnyOf('i.mode', query.modes, parameters),
    toAnyOf('i.profile_id', query.profiles, parameters),
    query.findingsOnly ? `exists (select from line l where ${LINES_OF_INVOICE} and l.finding_count > 0)` : null,
    toTextCondition(query.text, parameters),
  ])
}

function toTextCondition(text: string, parameters: SqlParameters): string | null {
  if (text === '') return null
  const pattern = parameters.add(toContainsPattern(text))
  const found = SEARCHED_COLUMNS.map((column) => `${column} ilike ${pattern}`)
  const amounts = toSearchedAmounts(text)
  if (amounts.length > 0) found.push(`i.total = any(${parameters.add(withBothSigns(amounts))}::numeric[])`)
  return `(${found.join(' or ')})`
}
