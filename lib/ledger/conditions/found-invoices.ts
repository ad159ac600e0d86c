import type { SqlParameters } from '../sql/sql-parameters.ts'

/** Invoices by the keys of their lines, each once. */
export type FoundInvoices = { connectionIds: string[]; serialNumbers: string[] }

/** Lines `l` of these invoices; null, for any, without them. */
export function toFoundCondition(found: FoundInvoices | null, parameters: SqlParameters): string | null {
  if (found === null) return null
  return `(l.connection_id, l.invoice_serial_number) in (
    select * from unnest(${parameters.add(found.connectionIds)}::uuid[], ${parameters.add(found.serialNumbers)}::text[]))`
}
